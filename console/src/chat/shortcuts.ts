import type { Attached } from "./client";

/** A field of a shortcut: a text, one of some, or a file. */
export type ShortcutField = {
  name: string;
  note: string;
  kind: "text" | "select" | "file";
  options: readonly string[];
  first: string;
};

/** A prepared question of the agent, which a slash finds. */
export type Shortcut = {
  id: string;
  name: string;
  /** What is typed after the slash. */
  command: string;
  note: string;
  /** What is asked, with `{{field}}` for what is filled in. */
  template: string;
  fields: readonly ShortcutField[];
};

/** What was filled in, by the names of fields. */
export type Filled = Readonly<Record<string, string | Attached>>;

/** A shortcut as it is asked: files by what the server knows them by. */
export type Chosen = { id: string; values: Readonly<Record<string, string>> };

/** A shortcut as the surfaces spell it. */
export type SentShortcut = {
  id: string;
  name: string;
  command?: string;
  description?: string;
  send_type?: string;
  template_query?: string;
  components?: readonly {
    name: string;
    description?: string;
    input_type?: string;
    options?: readonly string[];
    default_value?: string;
    hide?: boolean;
  }[];
};

export function shortcutOf(sent: SentShortcut): Shortcut {
  const { id, name, command = "", description = "", template_query: template = "" } = sent;
  const shown = (sent.components ?? []).filter((each) => !each.hide);
  return {
    id,
    name,
    command: command.replace(/^\//, ""),
    note: description,
    template,
    fields:
      sent.send_type === "panel"
        ? shown.map((each) => ({
            name: each.name,
            note: each.description ?? "",
            kind: kindOf(each.input_type ?? "text"),
            options: each.options ?? [],
            first: each.default_value ?? "",
          }))
        : [],
  };
}

function kindOf(inputType: string): ShortcutField["kind"] {
  if (inputType === "select") return "select";
  return inputType.startsWith("upload") ? "file" : "text";
}

/** Those that a beginning of a question names: all behind a bare slash, none behind other words. */
export function found(shortcuts: readonly Shortcut[], question: string): readonly Shortcut[] {
  const typed = /^\/(\S*)$/.exec(question)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  return shortcuts.filter(({ name, command }) =>
    [name, command].some((each) => each.toLowerCase().includes(typed)),
  );
}

/** What is asked, as it stands in the conversation. */
export function questionOf({ name, template }: Shortcut, filled: Filled): string {
  const question = template.replace(/\{\{([^{}]+)\}\}/g, (whole, field: string) => {
    const value = filled[field.trim()];
    return value === undefined ? whole : typeof value === "string" ? value : value.name;
  });
  return question.trim() || name;
}

export function chosenOf({ id }: Shortcut, filled: Filled): Chosen {
  const values = Object.entries(filled).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify({ type: value.kind, file_id: value.id }),
  ]);
  return { id, values: Object.fromEntries(values) };
}
