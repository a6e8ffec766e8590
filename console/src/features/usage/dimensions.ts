import { useText } from "../../text/catalogue";
import { isNamed, useThings } from "./queries";
import { usageText } from "./text";

export const DIMENSIONS = [
  "agent",
  "workflow",
  "model",
  "provider",
  "kind",
  "source",
  "member",
  "end_user",
  "token",
  "share_link",
  "base",
  "app",
  "version",
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export function dimensionOf(word: string | undefined): Dimension | undefined {
  return DIMENSIONS.find((each) => each === word);
}

/** What the value of a dimension is called; ids of what is gone stay ids. */
export function useNames(
  workspaceId: string,
  first: Dimension,
  second: Dimension | undefined,
): (dimension: string, value: string) => string {
  const text = useText(usageText);
  const kinds = [first, second].map((each) => (each && isNamed(each) ? each : undefined));
  const one = useThings(workspaceId, kinds[0]);
  const other = useThings(workspaceId, kinds[1]);
  const words: Readonly<Record<string, string>> = { ...text.kinds, ...text.sources };
  return (dimension, value) => {
    if (value === "") return text.none;
    if (dimension === "kind" || dimension === "source") return words[value] ?? value;
    const things = dimension === first ? one : other;
    return things?.find((each) => each.value === value)?.label ?? value;
  };
}
