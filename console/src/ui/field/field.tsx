import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import styles from "../text-field/text-field.module.css";
import unseen from "../unseen.module.css";
import own from "./field.module.css";

/** What every field of a form can say about itself. */
export type FieldFacts = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** Read by screen readers alone, where the place says what the field is. */
  isLabelHidden?: boolean | undefined;
};

type Props = FieldFacts & {
  id: string;
  /** Beside the label, at the end of its line: a reset, a unit, a count. */
  aside?: ReactNode;
  /** The label is there already as a part of the control. */
  labelled?: (label: ReactNode) => ReactNode;
  children: ReactNode;
};

/** A label, a control and a note; an error stands in the place of the hint. */
export function Field(props: Props) {
  const { label, hint, error, isRequired, isLabelHidden, id, aside, labelled, children } = props;
  const text = useText(uiText);
  const note = error ?? hint;
  const words = (
    <>
      {label}
      {isRequired && <span className={styles.required} role="img" aria-label={text.required} />}
    </>
  );
  return (
    <div className={styles.field}>
      <div className={isLabelHidden ? unseen.unseen : own.head}>
        {labelled ? (
          labelled(words)
        ) : (
          <label htmlFor={id} id={labelId(id)} className={styles.label}>
            {words}
          </label>
        )}
        {aside && <span className={own.aside}>{aside}</span>}
      </div>
      {children}
      {note && (
        <p id={noteId(id)} className={error ? styles.error : styles.hint}>
          {note}
        </p>
      )}
    </div>
  );
}

export function labelId(id: string): string {
  return `${id}-label`;
}

function noteId(id: string): string {
  return `${id}-note`;
}

/** Attributes that tie a control to its note. */
export function described(id: string, { hint, error }: FieldFacts) {
  return {
    "aria-invalid": error ? true : undefined,
    "aria-describedby": (error ?? hint) ? noteId(id) : undefined,
  } as const;
}
