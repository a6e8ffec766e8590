import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { IconButton } from "../ui/button/icon-button";
import { Form } from "../ui/form/form";
import { TextField } from "../ui/text-field/text-field";
import styles from "./kept-line.module.css";
import { agentText } from "./text";

type Props = {
  name: ReactNode;
  value: string;
  canWrite: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
};

/** One thing that is kept, read until somebody wants to write it. */
export function KeptLine({ name, value, canWrite, onChange, children }: Props) {
  const text = useText(agentText).kept;
  const [typed, setTyped] = useState<string>();
  if (typed !== undefined)
    return (
      <Form
        isChanged={typed !== value}
        isSaving={false}
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault();
          onChange(typed);
          setTyped(undefined);
        }}
      >
        <TextField label={text.value} autoFocus value={typed} onChange={setTyped} />
        <span className={styles.tools}>
          <Button size="compact" onClick={() => setTyped(undefined)}>
            {text.cancel}
          </Button>
          <Button size="compact" kind="primary" type="submit">
            {text.save}
          </Button>
        </span>
      </Form>
    );
  return (
    <div className={styles.line}>
      <span className={styles.name}>{name}</span>
      <span className={styles.value}>{value || text.unset}</span>
      <span className={styles.tools}>
        {canWrite && (
          <IconButton
            size="compact"
            label={text.edit(value)}
            icon={<Pencil size={14} />}
            onClick={() => setTyped(value)}
          />
        )}
        {children}
      </span>
    </div>
  );
}
