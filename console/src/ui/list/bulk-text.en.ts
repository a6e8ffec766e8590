import { formatNumber } from "../../text/formats";

export const text = {
  clear: "Clear the selection",
  chosen: (count: number) => `${formatNumber(count)} selected`,
  remove: "Delete",
  title: (count: number) => `Delete ${formatNumber(count)}?`,
  verb: (count: number) => `Delete ${formatNumber(count)}`,
  why: "For seven days they can be brought back; then they are gone for good.",
  published: (names: string) => `Published, and answering until then: ${names}.`,
  removed: (count: number) => `Deleted ${formatNumber(count)}`,
  undo: "Undo",
  restored: (count: number) => `Brought back ${formatNumber(count)}`,
  notRestored: "Not all of them could be brought back.",
};

export type Text = typeof text;
