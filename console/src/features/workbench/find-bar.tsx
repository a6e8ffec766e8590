import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import styles from "./find-bar.module.css";
import type { Found } from "./prompt-find";
import { workbenchText } from "./text";

type Props = {
  found: Found;
  isReadOnly: boolean;
  onWords: (words: string) => void;
  onSeek: (isBack: boolean) => void;
  onReplace: (words: string) => void;
  onReplaceAll: (words: string) => void;
  onClose: () => void;
};

/** Looks for words in the persona, and puts others in their place. */
export function FindBar(props: Props) {
  const { found, isReadOnly, onWords, onSeek, onReplace, onReplaceAll, onClose } = props;
  const text = useText(workbenchText).find;
  const [words, setWords] = useState("");
  const [others, setOthers] = useState("");
  return (
    <search
      className={styles.bar}
      aria-label={text.title}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={styles.row}>
        <input
          aria-label={text.words}
          placeholder={text.words}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: it was asked for to be typed into
          autoFocus
          className={styles.input}
          value={words}
          onChange={({ target }) => {
            setWords(target.value);
            onWords(target.value);
          }}
          onKeyDown={(event) => {
            if (event.key === "Enter") onSeek(event.shiftKey);
          }}
        />
        <span role="status" className={styles.count}>
          {words && (found.count > 0 ? text.place(found.at, found.count) : text.none)}
        </span>
        <IconButton
          size="compact"
          label={text.previous}
          icon={<ChevronUp size={16} />}
          onClick={() => onSeek(true)}
        />
        <IconButton
          size="compact"
          label={text.next}
          icon={<ChevronDown size={16} />}
          onClick={() => onSeek(false)}
        />
        <IconButton size="compact" label={text.close} icon={<X size={16} />} onClick={onClose} />
      </div>
      {!isReadOnly && (
        <div className={styles.row}>
          <input
            aria-label={text.others}
            placeholder={text.others}
            autoComplete="off"
            className={styles.input}
            value={others}
            onChange={({ target }) => setOthers(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") onReplace(others);
            }}
          />
          <Button size="compact" disabled={found.count === 0} onClick={() => onReplace(others)}>
            {text.replace}
          </Button>
          <Button size="compact" disabled={found.count === 0} onClick={() => onReplaceAll(others)}>
            {text.replaceAll}
          </Button>
        </div>
      )}
    </search>
  );
}
