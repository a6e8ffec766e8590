import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../button/button";
import { Dialog } from "../dialog/dialog";
import { ErrorLine } from "../error-state/error-line";
import type { Failure } from "../error-state/failure";
import { uiText } from "../text";
import { TextField } from "../text-field/text-field";
import { Form } from "./form";
import styles from "./name-dialog.module.css";

export type Named = { name: string; description: string };

type Props = {
  title: string;
  /** The verb on the button. */
  verb: string;
  labels: { name: string; description: string; hint?: string };
  initial?: Named;
  size?: "normal" | "wide";
  isPending: boolean;
  failure: Failure | undefined;
  onSubmit: (named: Named) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** What a new thing is called and is for, or is to be called from now on. */
export function NameDialog(props: Props) {
  const { title, verb, labels, initial, isPending, failure, onSubmit, onClose, children } = props;
  const text = useText(uiText);
  const [named, setNamed] = useState<Named>(initial ?? { name: "", description: "" });
  const form = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit({ name: named.name.trim(), description: named.description.trim() });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      size={props.size ?? "normal"}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!named.name.trim()}
            isLoading={isPending}
          >
            {verb}
          </Button>
        </>
      }
    >
      <Form
        entered={named}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <TextField
          label={labels.name}
          value={named.name}
          onChange={(name) => setNamed({ ...named, name })}
          autoComplete="off"
          maxLength={50}
          required
          autoFocus
        />
        <TextField
          label={labels.description}
          hint={labels.hint}
          value={named.description}
          onChange={(description) => setNamed({ ...named, description })}
          autoComplete="off"
          maxLength={500}
        />
        {children}
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{ name: labels.name, description: labels.description }}
          />
        )}
      </Form>
    </Dialog>
  );
}
