import { useState } from "react";
import { isRecord, readJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import type { Field } from "../model/field";
import { canvasText } from "../text";
import { typeWord } from "../type-word";
import { fieldFrom, fieldsFrom } from "./example";
import rows from "./rows.module.css";

type Props = {
  /** A value that the node gave last; nothing where it did not run. */
  last: unknown;
  /** The value itself is the one output, of whatever kind; else each member is one. */
  isWhole: boolean;
  onTake: (fields: readonly Field[]) => void;
  onClose: () => void;
};

/** Declares outputs from a value as it may come. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ExampleDialog({ last, isWhole, onTake, onClose }: Props) {
  const text = useText(canvasText).example;
  const { cancel } = useText(uiText);
  const [typed, setTyped] = useState(() =>
    last === undefined ? "" : JSON.stringify(last, undefined, 2),
  );
  const found = readExample(typed, isWhole);
  const wrong = typed.trim() && !found ? (isWhole ? text.noJson : text.noObject) : undefined;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={last === undefined ? text.why : text.fromLast}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            disabled={!found}
            onClick={() => {
              onTake(found ?? []);
              onClose();
            }}
          >
            {text.take}
          </Button>
        </>
      }
    >
      <TextArea
        label={text.example}
        isCode
        autoFocus
        spellCheck={false}
        value={typed}
        error={wrong}
        onChange={setTyped}
      />
      {found && (
        <div className={rows.rows}>
          {found.map((each) => (
            <Shown key={each.name} field={each} />
          ))}
        </div>
      )}
    </Dialog>
  );
}

function readExample(typed: string, isWhole: boolean): readonly Field[] | undefined {
  const value = readJson(typed);
  if (value === undefined) return undefined;
  if (isWhole) return [fieldFrom("output", value)];
  if (!isRecord(value)) return undefined;
  const fields = fieldsFrom(value);
  return fields.length > 0 ? fields : undefined;
}

function Shown({ field }: { field: Field }) {
  const text = useText(canvasText);
  const inner = field.item?.fields ?? field.fields;
  return (
    <div className={rows.rows}>
      <div className={rows.row}>
        <span>{field.name}</span>
        <span className={rows.chip}>{typeWord(field, text)}</span>
      </div>
      {inner.length > 0 && (
        <div className={rows.nested}>
          {inner.map((each) => (
            <Shown key={each.name} field={each} />
          ))}
        </div>
      )}
    </div>
  );
}
