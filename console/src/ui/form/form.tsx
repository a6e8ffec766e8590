import { type ComponentProps, useState } from "react";
import { useUnsaved } from "./unsaved";

type Props = ComponentProps<"form"> & {
  /** It is on its way: who leaves now loses nothing. */
  isSaving: boolean;
} & (
    | { /** Whether it holds what is not stored. */ isChanged: boolean; entered?: never }
    | {
        /** What it holds: not stored as soon as it differs from the first. */ entered: unknown;
        isChanged?: never;
      }
  );

/** A form that does not save itself: asks before what was entered goes. */
export function Form({ isSaving, isChanged, entered, ...form }: Props) {
  const now = JSON.stringify(entered);
  const [first] = useState(now);
  useUnsaved((isChanged ?? now !== first) && !isSaving);
  return <form {...form} />;
}
