import { Zap } from "lucide-react";
import { useEffect, useRef } from "react";
import { useText } from "../text/catalogue";
import { classes } from "../ui/classes";
import styles from "./shortcut-list.module.css";
import type { Shortcut } from "./shortcuts";
import { chatText } from "./text";

type Props = { shortcuts: readonly Shortcut[]; onChoose: (shortcut: Shortcut) => void };

/** Buttons above the field. */
export function ShortcutChips(props: Props & { isDisabled: boolean }) {
  const { shortcuts, isDisabled, onChoose } = props;
  const text = useText(chatText);
  if (shortcuts.length === 0) return null;
  return (
    <ul aria-label={text.shortcuts} className={styles.chips}>
      {shortcuts.map((shortcut) => (
        <li key={shortcut.id}>
          <button
            type="button"
            title={shortcut.note || undefined}
            disabled={isDisabled}
            className={styles.chip}
            onClick={() => onChoose(shortcut)}
          >
            <Zap size={14} />
            {shortcut.name}
          </button>
        </li>
      ))}
    </ul>
  );
}

type ListProps = Props & { id: string; at: number };

/** What a slash offers, above the field that walks it. */
export function ShortcutList({ id, shortcuts, at, onChoose }: ListProps) {
  const text = useText(chatText);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (shortcuts.length === 0) return null;
  return (
    <div ref={list} id={id} role="listbox" aria-label={text.shortcuts} className={styles.list}>
      {shortcuts.map((shortcut, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys of the field walk it
        <div
          key={shortcut.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          className={classes(styles.option, index === at && styles.active)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(shortcut)}
        >
          <span className={styles.name}>{shortcut.name}</span>
          {shortcut.command && <code>/{shortcut.command}</code>}
          <span className={styles.note}>{shortcut.note || shortcut.template}</span>
        </div>
      ))}
    </div>
  );
}
