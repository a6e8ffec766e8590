import type { AdminReviewedCanvas, AdminReviewedNeed } from "../../../api/schema";

export type Kind = "workflow" | "model" | "dataset" | "plugin" | "database";

export type Choice = { readonly value: string; readonly label: string };

/** Something that the files name and that is not here: what is to stand for it? */
export type Want = {
  readonly key: string;
  readonly kind: Kind;
  readonly id: string;
  /** Of tools of plugins: the tool. */
  readonly detail: string;
  readonly name: string;
  /** Titles of the nodes that name it. */
  readonly titles: readonly string[];
};

export type Mapping = Readonly<Record<`${Kind}s`, Readonly<Record<string, string>>>>;

const KINDS: readonly Kind[] = ["workflow", "model", "dataset", "plugin", "database"];

function isKind(kind: string): kind is Kind {
  return KINDS.some((each) => each === kind);
}

/** Everything that no file brings and that is not here, each once, whichever file names it. */
export function wantsOf(items: readonly AdminReviewedCanvas[]): readonly Want[] {
  const found = new Map<string, Want>();
  for (const item of items) {
    const titles = new Map(item.nodes.map((node) => [node.id, node.title]));
    for (const need of item.resources) {
      const { kind, id } = need;
      if (need.exists || need.brought_by !== null || !isKind(kind)) continue;
      const detail = kind === "plugin" ? need.detail : "";
      const key = [kind, id, detail].join(" ");
      const own = need.node_ids.flatMap((each) => titles.get(each) || []);
      const known = found.get(key);
      found.set(key, {
        ...{ key, kind, id, detail },
        name: known?.name || need.name,
        titles: [...new Set([...(known?.titles ?? []), ...own])],
      });
    }
  }
  return [...found.values()].toSorted(
    (one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind),
  );
}

/** What most likely stands for it: the same name, else a name that a node's title has in it. */
export function proposal(want: Want, choices: readonly Choice[]): Choice | undefined {
  const name = folded(want.name || want.id);
  const same = choices.find((each) => folded(each.label) === name || each.value === want.id);
  if (same) return same;
  const said = [want.name, ...want.titles].map(folded);
  return choices.find(({ label }) => {
    const own = folded(label);
    return own.length > 1 && said.some((each) => each.includes(own));
  });
}

function folded(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();
}

/** The choices as an import takes them; a tool goes with its plugin. */
export function mappingOf(
  wants: readonly Want[],
  chosen: Readonly<Record<string, string>>,
): Mapping {
  const tables: Record<keyof Mapping, Record<string, string>> = {
    workflows: {},
    models: {},
    datasets: {},
    plugins: {},
    databases: {},
  };
  for (const want of wants) {
    const value = chosen[want.key];
    if (!value) continue;
    const table = tables[`${want.kind}s`];
    if (want.kind === "plugin") {
      const [plugin = "", tool = ""] = value.split("/");
      table[want.id] = plugin;
      if (want.detail && tool) table[want.detail] = tool;
    } else table[want.id] = value;
  }
  return tables;
}

/** What one file needs of those that come before it: the ids that these have here. */
export function withBrought(
  mapping: Mapping,
  needs: readonly AdminReviewedNeed[],
  made: ReadonlyMap<number, string>,
): Mapping {
  const workflows = { ...mapping.workflows };
  for (const need of needs) {
    const id = need.brought_by === null ? undefined : made.get(need.brought_by);
    if (id) workflows[need.id] = id;
  }
  return { ...mapping, workflows };
}

/** The version under which other files call a file: it has to exist before they can run. */
export function versionNamed(
  items: readonly AdminReviewedCanvas[],
  position: number,
): string | undefined {
  const named = items.flatMap((item) =>
    item.resources
      .filter((need) => need.brought_by === position && need.detail)
      .map((need) => need.detail),
  );
  return named.toSorted((one, other) => other.localeCompare(one, "en", { numeric: true }))[0];
}
