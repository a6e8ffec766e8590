import { type Fields, flagAt, recordsAt, textAt, textsAt } from "./fields";

export type AskedField = { name: string; type: string; isRequired: boolean; hint: string };

/** A question, with what answers it besides words; `url` is where access is given. */
export type Asked = {
  text: string;
  options: readonly string[];
  fields: readonly AskedField[];
  url: string;
};

/** Nothing where words alone answer. */
export function askedOf(asked: Fields): Asked | undefined {
  const [options, url] = [textsAt(asked, "options"), textAt(asked, "url")];
  const fields = recordsAt(asked, "fields").map((field) => ({
    name: textAt(field, "name"),
    type: textAt(field, "type"),
    isRequired: flagAt(field, "is_required"),
    hint: textAt(field, "description"),
  }));
  const isInWords = options.length === 0 && fields.length === 0 && !url;
  return isInWords ? undefined : { text: textAt(asked, "text"), options, fields, url };
}

/** What was said, without the list of answers that a card shows instead. */
export function withoutAnswers(said: string, { options, fields, url }: Asked): string {
  const lines = [...options.map((name) => `- ${name}`), ...fields.map(({ name }) => `${name}:`)];
  const list = [...lines, ...(url ? [url] : [])].join("\n");
  return said.endsWith(list) ? said.slice(0, -list.length).trimEnd() : said;
}

/** As people write a form in a chat; what was left empty is left out. */
export function linesOf(
  fields: readonly AskedField[],
  values: Readonly<Record<string, string>>,
): string {
  return fields
    .flatMap(({ name, type }) => {
      const value = values[name]?.trim() || (type === "boolean" ? "false" : "");
      return value ? [`${name}: ${value}`] : [];
    })
    .join("\n");
}
