import { useId } from "react";
import { isJson } from "../../json/json";
import { useText } from "../../text/catalogue";
import { Switch } from "../../ui/switch/switch";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import rows from "../forms/rows.module.css";
import type { Field } from "../model/field";
import { canvasText } from "../text";
import { typeWord } from "../type-word";

export type Draft = Readonly<Record<string, string>>;

type Props = {
  fields: readonly Field[];
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** What fields are called that have other names for the run. */
  labels?: ReadonlyMap<string, string> | undefined;
  /** Said where there is nothing to fill in. */
  nothing?: string | undefined;
};

/** A field for each value that a run begins with. */
export function RunForm({ fields, draft, onChange, labels, nothing }: Props) {
  const text = useText(canvasText);
  const id = useId();
  if (fields.length === 0) {
    return <p className={rows.nothing}>{nothing ?? text.run.noInputs}</p>;
  }
  return (
    <div className={rows.stack} id={id}>
      {fields.map((field) => {
        const value = draft[field.name] ?? "";
        const set = (next: string) => onChange({ ...draft, [field.name]: next });
        const label = `${labels?.get(field.name) ?? field.name} · ${typeWord(field, text)}`;
        if (field.type === "boolean") {
          return (
            <Switch
              key={field.name}
              label={label}
              isOn={value === "true"}
              onChange={(isOn) => set(String(isOn))}
            />
          );
        }
        const isWide = field.type === "object" || field.type === "list" || field.type === "string";
        return isWide && field.assistType === 0 ? (
          <TextArea
            key={field.name}
            label={label}
            value={value}
            rows={field.type === "string" ? 2 : 4}
            required={field.isRequired}
            onChange={set}
          />
        ) : (
          <TextField
            key={field.name}
            label={label}
            value={value}
            required={field.isRequired}
            hint={field.assistType > 0 && field.assistType < 100 ? text.run.fileHint : undefined}
            onChange={set}
          />
        );
      })}
    </div>
  );
}

/** The first value in the form that does not fit its field. */
export function badField(fields: readonly Field[], draft: Draft): Field | undefined {
  return fields.find((field) => {
    const said = (draft[field.name] ?? "").trim();
    if (said === "") return field.isRequired && field.type !== "string";
    if (field.type === "integer") return !/^-?\d+$/.test(said);
    if (field.type === "float") return !Number.isFinite(Number(said));
    if (field.type === "object" || field.type === "list") return !isJson(said);
    return false;
  });
}

/** What was typed, as the run takes it; what was left empty is left out. */
export function inputsFrom(fields: readonly Field[], draft: Draft): Record<string, unknown> {
  const entries = fields.flatMap((field): [string, unknown][] => {
    const said = draft[field.name] ?? "";
    switch (field.type) {
      case "boolean":
        return [[field.name, said === "true"]];
      case "integer":
      case "float":
        return said.trim() === "" ? [] : [[field.name, Number(said)]];
      case "object":
      case "list":
        return said.trim() === "" ? [] : [[field.name, JSON.parse(said)]];
      default:
        return said === "" && !field.isRequired ? [] : [[field.name, said]];
    }
  });
  return Object.fromEntries(entries);
}

/** Values of an earlier run as the form shows them. */
export function draftFrom(values: Readonly<Record<string, unknown>>): Draft {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === "string" ? value : value === null ? "" : JSON.stringify(value),
    ]),
  );
}
