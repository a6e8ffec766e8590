import { useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { ErrorLine } from "../error-state/error-line";
import type { Failure } from "../error-state/failure";
import { useUnsaved } from "../form/unsaved";
import { uiText } from "../text";
import styles from "./title-field.module.css";

type Props = {
  title: string;
  /** Characters that a name may have. */
  longest: number;
  onRename: (name: string) => unknown;
  /** `isByKey`: the focus is nowhere else yet. */
  onEnd: (isByKey: boolean) => void;
};

/** The name in the header while it is written: kept by Enter and by leaving it, given up by Escape. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function TitleField({ title, longest, onRename, onEnd }: Props) {
  const text = useText(uiText);
  const [name, setName] = useState(title);
  const [failure, setFailure] = useState<Failure>();
  const [isSaving, setSaving] = useState(false);
  useUnsaved(name !== title && !isSaving);
  // A field that is taken away while it has the focus is left by that, too.
  const isOver = useRef(false);
  function end(isByKey: boolean): void {
    isOver.current = true;
    onEnd(isByKey);
  }
  async function save(isByKey: boolean): Promise<void> {
    const wanted = name.trim();
    if (isSaving || isOver.current) return;
    if (!wanted || wanted === title) {
      end(isByKey);
      return;
    }
    setSaving(true);
    try {
      await onRename(wanted);
      end(isByKey);
    } catch (error) {
      setFailure(error instanceof Error ? error : { message: String(error) });
      setSaving(false);
    }
  }
  return (
    <>
      <input
        aria-label={text.nameOf(title)}
        aria-invalid={failure ? true : undefined}
        value={name}
        maxLength={longest}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: it stands where the button was that had the focus
        autoFocus
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
        onBlur={() => void save(false)}
        onKeyDown={(event) => {
          // What is composed of several keys ends by these, too.
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") end(true);
          if (event.key === "Enter") void save(true);
        }}
        className={styles.input}
      />
      {failure && <ErrorLine failure={failure} labels={{ name: text.nameOf(title) }} />}
    </>
  );
}
