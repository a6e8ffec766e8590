import { type ReactNode, Suspense, useState } from "react";
import { workbenchPanes } from "../../session/local";
import { useText } from "../../text/catalogue";
import { type Pane, Splitter } from "../../ui/splitter/splitter";
import { Tabs } from "../../ui/tabs/tabs";
import { useWidth } from "../../ui/use-width";
import { workbenchText } from "./text";
import styles from "./workbench.module.css";

const FIRST_SHARES = [38, 26, 36];
const THREE_PANES_PX = 1040;
const TWO_PANES_PX = 780;

type Props = {
  editing: ReactNode;
  abilities: ReactNode;
  trying: ReactNode;
  tab: "edit" | "try";
  onTab: (tab: "edit" | "try") => void;
  /** What lies over the parts that are edited; where there is little room, over all. */
  over: (within: HTMLElement | null, share: number | undefined) => ReactNode;
};

/** Three panes where there is room for them, two where not, and tabs where there is little. */
export function Panes({ editing, abilities, trying, tab, onTab, over }: Props) {
  const text = useText(workbenchText);
  const [frame, width] = useWidth();
  const [within, setWithin] = useState<HTMLElement | null>(null);
  const [shares, setShares] = useState(() => workbenchPanes.read() ?? FIRST_SHARES);
  const [left = 38, middle = 26, right = 36] = shares;
  function move(next: readonly number[]): void {
    setShares(next);
    workbenchPanes.write(next);
  }
  const pane = (key: string, label: string, share: number, content: ReactNode): Pane => ({
    key,
    label,
    share,
    least: 20,
    content,
  });
  const both = (
    <div className={styles.stacked}>
      <div className={styles.first}>{editing}</div>
      {abilities}
    </div>
  );
  const isWide = width >= THREE_PANES_PX;
  return (
    <div ref={frame} className={styles.frame}>
      {width >= TWO_PANES_PX ? (
        <Splitter
          panes={
            isWide
              ? [
                  pane("persona", text.persona, left, editing),
                  pane("abilities", text.abilities, middle, <Abilities>{abilities}</Abilities>),
                  pane("try", text.tryIt, right, trying),
                ]
              : [
                  pane("edit", text.edit, left + middle, both),
                  pane("try", text.tryIt, right, trying),
                ]
          }
          onChange={(next) => {
            const [one = 0, two = 0] = next;
            move(isWide ? next : [(one * 38) / 64, (one * 26) / 64, two]);
          }}
          onReset={() => move(FIRST_SHARES)}
        />
      ) : (
        width > 0 && (
          <div className={styles.tabs}>
            <Tabs
              label={text.panels}
              value={tab}
              isFilling
              tabs={[
                { value: "edit", label: text.edit },
                { value: "try", label: text.tryIt },
              ]}
              onChange={onTab}
            >
              {tab === "edit" ? both : trying}
            </Tabs>
          </div>
        )
      )}
      <div ref={setWithin} />
      <Suspense>
        {over(
          within,
          width >= TWO_PANES_PX ? ((left + middle) * 100) / (left + middle + right) : undefined,
        )}
      </Suspense>
    </div>
  );
}

function Abilities({ children }: { children: ReactNode }) {
  const text = useText(workbenchText);
  return (
    <>
      <header className={styles.paneHead}>
        <h2>{text.abilities}</h2>
      </header>
      {children}
    </>
  );
}
