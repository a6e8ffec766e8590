import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Select } from "../../ui/select/select";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { parametersIn } from "./client-tool";
import styles from "./team.module.css";
import type { Member } from "./team-section";
import { workbenchText } from "./text";

type Props = {
  member: Member;
  onChange: (change: Partial<Member>) => void;
  onRemove: () => void;
};

const KINDS = ["delegate", "hand_off", "route"] as const;
const NAME = /^[\w-]{0,48}$/;

/** How the agent works with one other. */
export function TeamMember({ member, onChange, onRemove }: Props) {
  const text = useText(workbenchText).team;
  const { kind = "delegate", name = "", description = "" } = member;
  const stored = member.parameters ?? {};
  const [typed, setTyped] = useState(
    Object.keys(stored).length > 0 ? JSON.stringify(stored, null, 2) : "",
  );
  return (
    <div className={styles.editor}>
      <Select
        label={text.kind}
        hint={text.kindHints[kind]}
        value={kind}
        options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
        onChange={(next) => onChange({ kind: next })}
      />
      <TextField
        label={text.name}
        hint={text.nameHint}
        error={NAME.test(name) ? undefined : text.wrongName}
        value={name}
        autoComplete="off"
        onChange={(next) => onChange({ name: next })}
      />
      <TextArea
        label={text.description}
        hint={text.descriptionHint}
        isShort
        value={description}
        onChange={(next) => onChange({ description: next })}
      />
      {kind === "delegate" && (
        <TextArea
          label={text.parameters}
          hint={text.parametersHint}
          error={schemaOf(typed) ? undefined : text.wrongSchema}
          isCode
          isShort
          value={typed}
          onChange={(next) => {
            setTyped(next);
            const parameters = schemaOf(next);
            if (parameters) onChange({ parameters });
          }}
        />
      )}
      <div>
        <Button size="compact" icon={<Trash2 size={14} />} onClick={onRemove}>
          {text.remove(member.agent_name || name)}
        </Button>
      </div>
    </div>
  );
}

/** A JSON Schema of type object, or nothing at all. */
function schemaOf(typed: string): Record<string, unknown> | undefined {
  return typed.trim() ? parametersIn(typed) : {};
}
