import { Link } from "@tanstack/react-router";
import { Check, ChevronLeft, Database, Plug, Plus, Server, Workflow } from "lucide-react";
import { useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { TestCall } from "../../tool/test-call";
import { toolCallText } from "../../tool/text";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Segmented } from "../../ui/segmented/segmented";
import { SearchField } from "../../ui/text-field/search-field";
import { workbenchText } from "./text";
import { type Offer, useOffers } from "./tool-facts";
import styles from "./tool-picker.module.css";

const ICONS = { plugin: Plug, mcp: Server, workflow: Workflow, database: Database } as const;
const KINDS = ["all", "plugin", "mcp", "workflow", "database"] as const;
type Kind = (typeof KINDS)[number];

type Props = {
  workspaceId: string;
  /** Keys of what is bound. */
  bound: ReadonlySet<string>;
  /** What is looked at first. */
  first: string;
  isReadOnly: boolean;
  /** Leads to where tools come from that the workspace does not have. */
  onBring: (() => void) | undefined;
  onAdd: (offer: Offer) => void;
  onRemove: (offer: Offer) => void;
  onClose: () => void;
};

/** All tools of the workspace: found by typing, called with arguments to see what they do, bound. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ToolPicker(props: Props) {
  const { workspaceId, bound, isReadOnly, onBring, onAdd, onRemove, onClose } = props;
  const text = useText(workbenchText).tools;
  // What a part of the dialog waits for would close it: all words are here before it opens.
  useText(toolCallText);
  const [q, setQ] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  const [chosen, setChosen] = useState(props.first);
  const found = useOffers(workspaceId, useRested(q) ?? "");
  const failure = failureOf(found.error);
  const offers = (found.data ?? []).filter((each) => kind === "all" || each.kind === kind);
  const offer = found.data?.find((each) => each.key === chosen);
  const isBare = found.data?.length === 0 && !q;
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={onClose}
      title={text.pick}
      actions={
        <>
          {onBring && (
            <Button kind={isBare ? "primary" : "plain"} icon={<Plus size={14} />} onClick={onBring}>
              {text.bring}
            </Button>
          )}
          <Button kind={isBare && onBring ? "plain" : "primary"} onClick={onClose}>
            {text.done}
          </Button>
        </>
      }
    >
      <div className={styles.panes} data-shows={offer ? "one" : "all"}>
        <div className={styles.all}>
          <div className={styles.search}>
            <SearchField label={text.search} value={q} onChange={setQ} />
          </div>
          <Segmented
            label={text.kind}
            value={kind}
            options={KINDS.map((each) => ({ value: each, label: text.kinds[each] }))}
            onChange={setKind}
          />
          {failure && <ErrorLine failure={failure} />}
          {found.data && offers.length === 0 && (
            <p className={styles.note}>{isBare ? text.noTools : text.nothing}</p>
          )}
          <ul className={styles.list} aria-label={text.pick} aria-busy={found.isPending}>
            {offers.map((each) => {
              const Icon = ICONS[each.kind];
              return (
                <li key={each.key}>
                  <button
                    type="button"
                    className={styles.offer}
                    aria-pressed={each.key === chosen}
                    onClick={() => setChosen(each.key)}
                  >
                    <Icon size={16} />
                    <span className={styles.words}>
                      <span className={styles.name}>{each.name}</span>
                      <span className={styles.source}>
                        {[
                          each.source || text.ofWorkspace[each.kind],
                          !each.isReady && text.unpublished,
                        ]
                          .filter(Boolean)
                          .join(" · ")}
                      </span>
                    </span>
                    {bound.has(each.key) && (
                      <Check size={14} role="img" aria-label={text.isBound} />
                    )}
                  </button>
                </li>
              );
            })}
          </ul>
        </div>
        <div className={styles.one}>
          {offer ? (
            <>
              <button type="button" className={styles.back} onClick={() => setChosen("")}>
                <ChevronLeft size={14} />
                {text.backToAll}
              </button>
              <Details
                key={offer.key}
                workspaceId={workspaceId}
                offer={offer}
                isBound={bound.has(offer.key)}
                isReadOnly={isReadOnly}
                onAdd={() => onAdd(offer)}
                onRemove={() => onRemove(offer)}
              />
            </>
          ) : (
            !isBare && <p className={styles.empty}>{text.chooseOne}</p>
          )}
        </div>
      </div>
    </Dialog>
  );
}

type DetailsProps = {
  workspaceId: string;
  offer: Offer;
  isBound: boolean;
  isReadOnly: boolean;
  onAdd: () => void;
  onRemove: () => void;
};

function Details({ workspaceId, offer, isBound, isReadOnly, onAdd, onRemove }: DetailsProps) {
  const text = useText(workbenchText).tools;
  const canCall = may(useWorkspace(workspaceId), "plugin.write");
  return (
    <>
      <div className={styles.head}>
        <h3 className={styles.title}>{offer.name}</h3>
        {!isReadOnly &&
          (isBound ? (
            <Button size="compact" onClick={onRemove}>
              {text.unbind}
            </Button>
          ) : (
            <Button
              size="compact"
              kind="primary"
              icon={<Plus size={14} />}
              disabled={!offer.isReady}
              onClick={onAdd}
            >
              {text.bind}
            </Button>
          ))}
      </div>
      <p className={styles.about}>{offer.description || text.noDescription}</p>
      {!offer.isReady && offer.kind !== "database" && (
        <p className={styles.warning}>{text.publishFirst[offer.kind]}</p>
      )}
      {offer.kind === "workflow" ? (
        <Link
          to="/w/$workspaceId/workflows/$workflowId"
          params={{ workspaceId, workflowId: offer.key }}
          className={styles.link}
        >
          {text.tryOnCanvas}
        </Link>
      ) : (
        <p className={styles.note}>
          {[offer.source, text.effects[offer.effect]].filter(Boolean).join(" · ")}
        </p>
      )}
      {offer.tool && (
        <Link
          to="/w/$workspaceId/plugins/$pluginId"
          params={{ workspaceId, pluginId: offer.tool.plugin_id }}
          className={styles.link}
        >
          {text.openPlugin}
        </Link>
      )}
      {offer.kind === "database" && (
        <>
          <p className={styles.note}>{text.tableAtOnce}</p>
          <Link
            to="/w/$workspaceId/databases/$databaseId"
            params={{ workspaceId, databaseId: offer.key }}
            className={styles.link}
          >
            {text.openTable}
          </Link>
        </>
      )}
      {offer.tool && canCall && <TestCall tool={offer.tool} canCall />}
    </>
  );
}
