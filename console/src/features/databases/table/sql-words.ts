import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";

/** Words that begin or join parts of a statement, as the guard takes them. */
const KEYWORDS = [
  "SELECT",
  "DISTINCT",
  "FROM",
  "WHERE",
  "AND",
  "OR",
  "NOT",
  "IN",
  "IS",
  "NULL",
  "LIKE",
  "BETWEEN",
  "GROUP BY",
  "HAVING",
  "ORDER BY",
  "ASC",
  "DESC",
  "LIMIT",
  "OFFSET",
  "AS",
  "CASE",
  "WHEN",
  "THEN",
  "ELSE",
  "END",
  "WITH",
  "UNION",
  "INSERT INTO",
  "VALUES",
  "UPDATE",
  "SET",
  "DELETE FROM",
] as const;

const FUNCTIONS = [
  "COUNT",
  "SUM",
  "AVG",
  "MIN",
  "MAX",
  "COALESCE",
  "CONCAT",
  "LOWER",
  "UPPER",
  "LENGTH",
  "SUBSTRING",
  "TRIM",
  "ROUND",
  "ABS",
  "NOW",
  "DATE",
  "YEAR",
  "MONTH",
  "DAY",
] as const;

export const KEYWORD = new RegExp(
  `\\b(?:${KEYWORDS.map((word) => word.replace(" ", "\\s+")).join("|")})\\b`,
  "gi",
);
export const QUOTED = /'(?:[^'\\]|\\.|'')*'/g;

export type SqlName = { name: string; note: string; isTable?: boolean };

/** Names of the table and its fields, words of the language and functions. */
export function sqlCompletions(
  context: Pick<CompletionContext, "matchBefore" | "explicit">,
  names: readonly SqlName[],
): CompletionResult | null {
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
  if (!word && !context.explicit) return null;
  return {
    from: word?.from ?? context.matchBefore(/.?/)?.to ?? 0,
    options: [
      ...names.map(({ name, note, isTable }) => ({
        label: name,
        detail: note,
        apply: quoted(name),
        boost: isTable ? 1 : 2,
      })),
      ...KEYWORDS.map((label) => ({ label })),
      ...FUNCTIONS.map((label) => ({ label: `${label}()`, apply: `${label}(`, boost: -1 })),
    ],
    validFor: /^[\p{L}\p{N}_]*$/u,
  };
}

/** A name as it stands in a statement: in backticks where it is not plain. */
export function quoted(name: string): string {
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !isReserved(name);
  return isPlain ? name : `\`${name.replaceAll("`", "``")}\``;
}

function isReserved(name: string): boolean {
  const upper = name.toUpperCase();
  return upper === "ROWS" || KEYWORDS.some((word) => word.split(" ").includes(upper));
}
