import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../button/button";
import { Dialog } from "../dialog/dialog";
import { ErrorLine } from "../error-state/error-line";
import type { Failure } from "../error-state/failure";
import { uiText } from "../text";
import { TextField } from "../text-field/text-field";
import styles from "./confirm.module.css";

type Props = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The verb on the button. */
  verb: string;
  /** Has to be typed first, where what is lost is in use. */
  name?: string | undefined;
  isPending: boolean;
  failure?: Failure | undefined;
  onConfirm: () => void;
};

/** Asks before something is lost. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Confirm(props: Props) {
  const { isOpen, onClose, title, verb, name, isPending, failure, onConfirm } = props;
  const text = useText(uiText);
  const [typed, setTyped] = useState("");
  const form = useId();
  const isAllowed = name === undefined || typed.trim() === name.trim();
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isAllowed) onConfirm();
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      description={props.children}
      size="small"
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="danger"
            type="submit"
            form={form}
            disabled={!isAllowed}
            isLoading={isPending}
          >
            {verb}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className={styles.form}>
        {name !== undefined && (
          <TextField
            label={text.typeName(name)}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            autoFocus
          />
        )}
        {failure && <ErrorLine failure={failure} />}
      </form>
    </Dialog>
  );
}
