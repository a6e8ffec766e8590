import { Search, X } from "lucide-react";
import { type Ref, useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import styles from "./search-field.module.css";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter goes to the next hit, Shift and Enter to the one before. */
  onStep?: (by: 1 | -1) => void;
  ref?: Ref<HTMLInputElement>;
};

/** Field that narrows a list; while a word is being composed, as in Chinese, nothing is sent. */
export function SearchField({ label, value, onChange, onStep, ref }: Props) {
  const text = useText(uiText);
  const [composed, setComposed] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.field}>
      <Search size={14} className={styles.sign} />
      <input
        type="search"
        ref={(element) => {
          input.current = element;
          if (typeof ref === "function") ref(element);
          else if (ref) ref.current = element;
        }}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={composed ?? value}
        onCompositionStart={(event) => setComposed(event.currentTarget.value)}
        onCompositionEnd={(event) => {
          setComposed(undefined);
          onChange(event.currentTarget.value);
        }}
        onChange={(event) => {
          if (composed === undefined) onChange(event.target.value);
          else setComposed(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && value) {
            event.stopPropagation();
            onChange("");
          }
          if (event.key === "Enter" && !event.nativeEvent.isComposing)
            onStep?.(event.shiftKey ? -1 : 1);
        }}
        className={styles.input}
      />
      {value && (
        <button
          type="button"
          aria-label={text.clear}
          className={styles.clear}
          onClick={() => {
            onChange("");
            input.current?.focus();
          }}
        >
          <X size={14} />
        </button>
      )}
    </div>
  );
}
