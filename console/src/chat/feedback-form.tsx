import { useState } from "react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { classes } from "../ui/classes";
import { TextArea } from "../ui/text-field/text-area";
import type { Why } from "./client";
import styles from "./feedback-form.module.css";
import { REASONS } from "./reasons";
import { chatText } from "./text";

/** As much as the server keeps. */
const MOST_CHARS = 500;

type Props = { onSend: (why: Why) => void; onClose: () => void };

/** Asks why an answer is bad; the verdict itself is given already. */
export function FeedbackForm({ onSend, onClose }: Props) {
  const text = useText(chatText);
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const [comment, setComment] = useState("");
  const toggle = (reason: string) =>
    setReasons((old) =>
      old.includes(reason) ? old.filter((each) => each !== reason) : [...old, reason],
    );
  return (
    <form
      aria-label={text.whyBad}
      className={styles.form}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault(); // or it would close what is around, too
        onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSend({ reasons, comment: comment.trim() });
      }}
    >
      <p className={styles.title}>{text.whyBad}</p>
      <div className={styles.reasons}>
        {REASONS.map((reason) => (
          <button
            key={reason}
            type="button"
            aria-pressed={reasons.includes(reason)}
            className={classes(styles.reason, reasons.includes(reason) && styles.chosen)}
            onClick={() => toggle(reason)}
          >
            {text.reasons[reason]}
          </button>
        ))}
      </div>
      <TextArea
        label={text.comment}
        isLabelHidden
        placeholder={text.comment}
        isShort
        maxLength={MOST_CHARS}
        value={comment}
        onChange={setComment}
      />
      <div className={styles.actions}>
        <Button
          kind="primary"
          size="compact"
          type="submit"
          disabled={reasons.length === 0 && !comment.trim()}
        >
          {text.send}
        </Button>
        <Button size="compact" onClick={onClose}>
          {text.skip}
        </Button>
      </div>
    </form>
  );
}
