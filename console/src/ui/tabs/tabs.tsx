import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode, Suspense } from "react";
import { classes } from "../classes";
import { LateLines } from "../skeleton/late-lines";
import styles from "./tabs.module.css";

type Props<T extends string> = {
  label: string;
  value: T;
  tabs: readonly { value: T; label: string; count?: number | undefined }[];
  onChange: (value: T) => void;
  /** The panel takes the height that is left and scrolls by itself. */
  isFilling?: boolean;
  /** Stands below the header of a page, in line with what it says. */
  isOfPage?: boolean;
  /** At the end of the line of tabs. */
  aside?: ReactNode;
  /** The panel of the chosen tab. */
  children: ReactNode;
};

/** Panels of which one is in sight. */
export function Tabs<T extends string>(props: Props<T>) {
  const { label, value, tabs, onChange, isFilling, isOfPage, aside, children } = props;
  return (
    <Base.Root
      value={value}
      onValueChange={(next: unknown) => {
        const tab = tabs.find((each) => each.value === next);
        if (tab) onChange(tab.value);
      }}
      className={classes(styles.root, isFilling && styles.filling, isOfPage && styles.ofPage)}
    >
      <div className={styles.line}>
        <Base.List aria-label={label} activateOnFocus className={styles.list}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
              {tab.label}
              {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
            </Base.Tab>
          ))}
        </Base.List>
        {aside}
      </div>
      <Base.Panel key={value} value={value} className={styles.panel}>
        <Suspense fallback={<LateLines />}>{children}</Suspense>
      </Base.Panel>
    </Base.Root>
  );
}
