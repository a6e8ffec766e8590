import { Search } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { NodeKind } from "../../api/schema";
import { recentKinds } from "../../session/local";
import { useText } from "../../text/catalogue";
import { toast } from "../../ui/toast/toasts";
import type { JsonObject } from "../document/read";
import { useKindName, useKinds } from "../kinds";
import { type Category, categoryOf, isEnd } from "../model/kind";
import { canvasText } from "../text";
import type { Preset } from "./acts";
import { KindIcon } from "./kind-icon";
import styles from "./kind-list.module.css";
import { useWorkspaceOffers } from "./workspace-offers";

const ORDER: readonly Category[] = [
  "model",
  "logic",
  "knowledge",
  "outside",
  "code",
  "person",
  "database",
  "conversation",
  "note",
];

/** Name of the kind in a drag from the list to the ground. */
export const DRAGGED_KIND = "application/x-coterie-node";

export type KindListChoice = (kind: NodeKind, preset?: Preset) => void;

type Offer = {
  readonly key: string;
  readonly kind: NodeKind;
  readonly name: string;
  readonly about: string | undefined;
  /** What a node that is made of something of the workspace begins with. */
  readonly settings?: () => Promise<JsonObject>;
};

type Group = { readonly key: string; readonly title: string; readonly offers: readonly Offer[] };

type Props = {
  /** Kinds that would make no sense at the place. */
  isOffered?: (kind: NodeKind) => boolean;
  onChoose: KindListChoice;
  onClose?: () => void;
  isDraggable?: boolean;
  hasFocus?: boolean;
};

/** Everything that can be added, of the workspace too, found by typing its name in any language. */
export function KindList({ isOffered, onChoose, onClose, isDraggable, hasFocus }: Props) {
  const text = useText(canvasText);
  const kinds = useKinds();
  const nameOf = useKindName();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // Once: while the list stays open, whoever writes in a form keeps the focus there.
  useEffect(() => {
    if (hasFocus) field.current?.focus({ preventScroll: true });
  }, [hasFocus]);
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  const [recent] = useState(() => recentKinds.read());
  const ofKinds = useMemo((): readonly Group[] => {
    const ranked = [...kinds.values()].flatMap((kind) => {
      const mayBe = kind.is_supported && !isEnd(kind.type_id) && (!isOffered || isOffered(kind));
      const about = text.about[kind.type_id] ?? "";
      const rank = rankOf(query, [...Object.values(kind.names), about], kind.key);
      return mayBe && rank !== undefined ? [{ kind, rank }] : [];
    });
    const found = ranked.toSorted((a, b) => a.rank - b.rank).map(({ kind }) => kind);
    const best = (category: Category) =>
      found.findIndex((kind) => categoryOf(kind.type_id) === category);
    const order = query ? ORDER.toSorted((a, b) => best(a) - best(b)) : ORDER;
    const offered = (group: string, kind: NodeKind): Offer => ({
      key: `${group}-${kind.type_id}`,
      kind,
      name: nameOf(kind.type_id),
      about: text.about[kind.type_id],
    });
    const last = query ? [] : recent.flatMap((type) => found.find((k) => k.type_id === type) ?? []);
    return [
      {
        key: "recent",
        title: text.palette.recent,
        offers: last.map((kind) => offered("recent", kind)),
      },
      ...order.map((category) => ({
        key: category,
        title: text.categories[category],
        offers: found
          .filter((kind) => categoryOf(kind.type_id) === category)
          .map((kind) => offered(category, kind)),
      })),
    ];
  }, [kinds, query, recent, isOffered, nameOf, text]);
  const ofWorkspace = useWorkspaceOffers(query).flatMap(({ id: key, type, ...offer }) => {
    const kind = kinds.get(type);
    return kind && (!isOffered || isOffered(kind)) ? [{ key, kind, ...offer }] : [];
  });
  const groups = [
    ...ofKinds,
    { key: "workspace", title: text.palette.workspace, offers: ofWorkspace },
  ].filter(({ offers }) => offers.length > 0);
  const all: readonly Offer[] = groups.flatMap(({ offers }) => offers);
  const current = all[Math.min(at, all.length - 1)];
  function move(step: number): void {
    const next = (Math.min(at, all.length - 1) + step + all.length) % Math.max(all.length, 1);
    setAt(next);
    const option = list.current?.querySelector(`#${CSS.escape(`${id}-${all[next]?.key}`)}`);
    option?.scrollIntoView({ block: "nearest" });
  }
  async function choose({ kind, name, settings }: Offer): Promise<void> {
    recentKinds.add(kind.type_id);
    if (!settings) {
      onChoose(kind);
      return;
    }
    try {
      onChoose(kind, { title: name, data: await settings() });
    } catch {
      toast(text.palette.unread(name));
    }
  }
  function onKeyDown(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && current) void choose(current);
    else if (event.key === "Escape" && onClose) onClose();
    else return;
    event.preventDefault();
  }
  return (
    <div className={styles.list} ref={list}>
      <div className={styles.search}>
        <Search size={14} />
        <input
          className={styles.input}
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${current.key}` : undefined}
          aria-label={text.palette.search}
          placeholder={text.palette.search}
          value={query}
          ref={field}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={text.palette.title}
        className={styles.scroll}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: groups of a list box are no fieldsets
          <div role="group" key={group.key} aria-label={group.title}>
            <div className={styles.category} aria-hidden="true">
              {group.title}
            </div>
            {group.offers.map((offer) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and answers the keys
              <div
                role="option"
                key={offer.key}
                id={`${id}-${offer.key}`}
                aria-selected={offer === current}
                className={styles.option}
                draggable={isDraggable && !offer.settings}
                onDragStart={(event) => {
                  event.dataTransfer.setData(DRAGGED_KIND, offer.kind.type_id);
                  event.dataTransfer.effectAllowed = "copy";
                }}
                onPointerMove={() => setAt(all.indexOf(offer))}
                onClick={() => void choose(offer)}
              >
                <KindIcon type={offer.kind.type_id} size={24} />
                <span className={styles.words}>
                  <span className={styles.name}>{offer.name}</span>
                  <span className={styles.about}>{offer.about}</span>
                </span>
              </div>
            ))}
          </div>
        ))}
        {all.length === 0 && <p className={styles.nothing}>{text.palette.nothing}</p>}
      </div>
    </div>
  );
}

/** How well something fits what was typed, from 0 on: begun with it, or holding it. */
function rankOf(query: string, words: readonly string[], key: string): number | undefined {
  const wanted = folded(query);
  if (words.some((each) => folded(each).startsWith(wanted))) return 0;
  return folded([...words, key].join(" ")).includes(wanted) ? 1 : undefined;
}

function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
