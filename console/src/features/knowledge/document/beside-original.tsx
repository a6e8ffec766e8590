import { type ReactNode, useState, useSyncExternalStore } from "react";
import { useText } from "../../../text/catalogue";
import { Splitter } from "../../../ui/splitter/splitter";
import { Tabs } from "../../../ui/tabs/tabs";
import styles from "./beside-original.module.css";
import { documentText } from "./text";

const HALVES = [50, 50] as const;
const LEAST = 25;

type Props = {
  original: ReactNode;
  slices: ReactNode;
  /** Where there is no room for both; one of the two is in sight then. */
  narrow: MediaQueryList;
  /** Stands below the header of a page, in line with what it says. */
  isOfPage?: boolean;
};

/** An original at the left, the slices of it at the right. */
export function BesideOriginal({ original, slices, narrow, isOfPage = false }: Props) {
  const text = useText(documentText);
  const [shown, setShown] = useState<"slices" | "original">("slices");
  const [shares, setShares] = useState<readonly number[]>(HALVES);
  const [onWidth] = useState(() => (listener: () => void) => {
    narrow.addEventListener("change", listener);
    return () => narrow.removeEventListener("change", listener);
  });
  const isNarrow = useSyncExternalStore(onWidth, () => narrow.matches);
  if (isNarrow)
    return (
      <Tabs
        label={text.parts}
        value={shown}
        isFilling
        isOfPage={isOfPage}
        tabs={[
          { value: "slices", label: text.slices },
          { value: "original", label: text.original },
        ]}
        onChange={setShown}
      >
        {shown === "slices" ? slices : original}
      </Tabs>
    );
  return (
    <div className={styles.panes}>
      <Splitter
        panes={[
          {
            key: "original",
            label: text.original,
            share: shares[0] ?? 0,
            least: LEAST,
            content: original,
          },
          {
            key: "slices",
            label: text.slices,
            share: shares[1] ?? 0,
            least: LEAST,
            content: slices,
          },
        ]}
        onChange={setShares}
        onReset={() => setShares(HALVES)}
      />
    </div>
  );
}
