import { ChevronDown, ChevronUp } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { SearchField } from "../../../ui/text-field/search-field";
import styles from "./find-bar.module.css";
import { documentText } from "./text";
import type { useFind } from "./use-find";

type Props = { find: ReturnType<typeof useFind>; count: number; isSearching: boolean };

/** Looks for words in a document and goes from hit to hit. */
export function FindBar({ find, count, isSearching }: Props) {
  const text = useText(documentText);
  const step = (by: 1 | -1) => find.step(by, count);
  return (
    <search className={styles.bar}>
      <SearchField
        label={text.find}
        value={find.typed}
        onChange={find.type}
        onStep={(by) => count > 0 && step(by)}
      />
      {find.needle && (
        <output className={styles.count}>
          {count > 0 ? text.hitOf(find.at + 1, count) : isSearching ? text.finding : text.noHit}
        </output>
      )}
      {find.needle && count > 0 && (
        <>
          <IconButton
            size="compact"
            label={text.hitBefore}
            icon={<ChevronUp size={16} />}
            onClick={() => step(-1)}
          />
          <IconButton
            size="compact"
            label={text.hitAfter}
            icon={<ChevronDown size={16} />}
            onClick={() => step(1)}
          />
        </>
      )}
    </search>
  );
}
