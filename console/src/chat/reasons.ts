/** Why an answer is bad, as the server keeps it. */
export const REASONS = ["wrong", "incomplete", "off_topic", "sources", "style", "harmful"] as const;
export type Reason = (typeof REASONS)[number];

export function isReason(word: string): word is Reason {
  return REASONS.some((reason) => reason === word);
}
