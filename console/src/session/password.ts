/** How long a password has to be, as the server wants it. */
export const SHORTEST = 12;
/** Four words, or so. */
const STRONG = 18;
/** Fewer different characters make a text that every list of guesses begins with. */
const LEAST_DISTINCT = 5;

export type Strength = "short" | "guessable" | "fair" | "strong";

/** Whether the server would refuse it. */
export function isWeak(strength: Strength): boolean {
  return strength === "short" || strength === "guessable";
}

/**
 * How good a new password is, by the rules of the server without its list of common ones; it
 * knows more names of the account than the page does, and has the last word.
 */
export function strengthOf(password: string, names: readonly string[]): Strength {
  const plain = password.normalize("NFKC").toLowerCase();
  if (plain.length < SHORTEST) return "short";
  const besideNames = names
    .filter((name) => name !== "")
    .reduce((rest, name) => rest.replaceAll(name.toLowerCase(), ""), plain);
  const isOnlyNames = /^[\d!.\-_ ]*$/.test(besideNames);
  if (isOnlyNames || new Set(plain).size < LEAST_DISTINCT) return "guessable";
  return plain.length < STRONG ? "fair" : "strong";
}
