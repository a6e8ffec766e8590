const LONGEST = 60;

/** A value in a few words, as JSON where it is no text. */
export function shortText(value: unknown): string {
  const said = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said;
}
