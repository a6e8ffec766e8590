import { Plus, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import type { ShortcutFields } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import type { Failure } from "../../ui/error-state/failure";
import { Form } from "../../ui/form/form";
import { Segmented } from "../../ui/segmented/segmented";
import { Select } from "../../ui/select/select";
import { Switch } from "../../ui/switch/switch";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import type { Draft } from "./edits";
import styles from "./shortcut-dialog.module.css";
import { ShortcutPreview } from "./shortcut-preview";
import { ShortcutTool } from "./shortcut-tool";
import type { Component, Shortcut } from "./shortcuts";
import { workbenchText } from "./text";
import { NAME } from "./variables-section";

type Props = {
  draft: Draft;
  /** Nothing: a new one. */
  shortcut: Shortcut | undefined;
  isPending: boolean;
  failure: Failure | undefined;
  onSave: (fields: ShortcutFields) => void;
  onClose: () => void;
};

const TYPES = [
  "text",
  "select",
  "upload_image",
  "upload_doc",
  "upload_table",
  "upload_audio",
  "upload_video",
] as const;
const NEW: Omit<Shortcut, "id"> = {
  name: "",
  command: "",
  description: "",
  icon_file_id: null,
  send_type: "query",
  template_query: "",
  tool: null,
  components: [],
  card_schema: "",
  agent_node_id: "",
};

/** One shortcut, beside what people will see of it. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ShortcutDialog(props: Props) {
  const { draft, shortcut, isPending, failure, onSave, onClose } = props;
  const text = useText(workbenchText).shortcuts;
  const { cancel } = useText(uiText);
  const [fields, setFields] = useState(shortcut ?? NEW);
  const form = useId();
  const set = (change: Partial<Shortcut>) => setFields((old) => ({ ...old, ...change }));
  const isPanel = fields.send_type === "panel";
  function submit(event: FormEvent): void {
    event.preventDefault();
    const { name, command, description, send_type, template_query, tool, components } = fields;
    onSave({
      name: name.trim(),
      command: command.trim(),
      description,
      send_type,
      template_query,
      tool,
      components: isPanel ? components : [],
    });
  }
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={onClose}
      title={shortcut ? text.editTitle(shortcut.name) : text.newTitle}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!fields.name.trim()}
            isLoading={isPending}
          >
            {text.save}
          </Button>
        </>
      }
    >
      <div className={styles.sides}>
        <Form
          entered={fields}
          isSaving={isPending}
          id={form}
          onSubmit={submit}
          className={styles.form}
        >
          <div className={styles.pair}>
            <TextField
              label={text.name}
              value={fields.name}
              maxLength={50}
              autoComplete="off"
              autoFocus
              required
              onChange={(name) => set({ name })}
            />
            <TextField
              label={text.command}
              hint={text.commandHint}
              value={fields.command}
              autoComplete="off"
              onChange={(command) => set({ command })}
            />
          </div>
          <Segmented
            label={text.kind}
            value={fields.send_type}
            options={[
              { value: "query", label: text.kinds.query },
              { value: "panel", label: text.kinds.panel },
            ]}
            onChange={(send_type) => set({ send_type })}
          />
          {isPanel && (
            <Fields components={fields.components} onChange={(components) => set({ components })} />
          )}
          <TextArea
            label={text.template}
            hint={isPanel ? text.templateHint : undefined}
            isShort
            value={fields.template_query}
            onChange={(template_query) => set({ template_query })}
          />
          <ShortcutTool
            draft={draft}
            tool={fields.tool}
            components={isPanel ? fields.components : []}
            onChange={(tool) => set({ tool })}
          />
          {failure && (
            <ErrorLine
              failure={failure}
              labels={{
                name: text.name,
                command: text.command,
                template_query: text.template,
                components: text.fields,
                tool: text.tool,
              }}
            />
          )}
        </Form>
        <ShortcutPreview fields={fields} />
      </div>
    </Dialog>
  );
}

type FieldsProps = {
  components: readonly Component[];
  onChange: (components: Component[]) => void;
};

function Fields({ components, onChange }: FieldsProps) {
  const text = useText(workbenchText).shortcuts;
  const change = (at: number, more: Partial<Component>) =>
    onChange(components.map((each, index) => (index === at ? { ...each, ...more } : each)));
  return (
    <fieldset className={styles.fields}>
      <legend>{text.fields}</legend>
      {components.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
        <div key={at} className={styles.field}>
          <div className={styles.row}>
            <TextField
              label={text.fieldName}
              value={each.name}
              error={NAME.test(each.name) ? undefined : text.wrongName}
              onChange={(name) => change(at, { name })}
            />
            <Select
              label={text.fieldType}
              value={TYPES.find((type) => type === each.input_type) ?? "text"}
              options={TYPES.map((value) => ({ value, label: text.fieldTypes[value] }))}
              onChange={(input_type) => change(at, { input_type })}
            />
            <span className={styles.remove}>
              <IconButton
                label={text.removeField(each.name)}
                icon={<X size={14} />}
                onClick={() => onChange(components.filter((_, index) => index !== at))}
              />
            </span>
          </div>
          {each.input_type === "select" && (
            <MultiCombobox
              label={text.options}
              hint={text.optionsHint}
              values={each.options.map((value) => ({ value, label: value }))}
              options={[]}
              onCreate={(typed) => ({ value: typed, label: typed })}
              onChange={(next) => change(at, { options: next.map(({ value }) => value) })}
            />
          )}
          {!each.input_type.startsWith("upload") && (
            <TextField
              label={text.fallback}
              value={each.default_value}
              onChange={(default_value) => change(at, { default_value })}
            />
          )}
          <Switch
            label={text.hide}
            hint={text.hideHint}
            isOn={each.hide}
            onChange={(hide) => change(at, { hide })}
          />
        </div>
      ))}
      <div>
        <Button
          size="compact"
          icon={<Plus size={14} />}
          onClick={() => onChange([...components, newComponent(components)])}
        >
          {text.addField}
        </Button>
      </div>
    </fieldset>
  );
}

function newComponent(others: readonly Component[]): Component {
  const taken = new Set(others.map(({ name }) => name));
  let number = 1;
  while (taken.has(`field_${number}`)) number += 1;
  return {
    name: `field_${number}`,
    description: "",
    input_type: "text",
    parameter: "",
    options: [],
    default_value: "",
    hide: false,
    upload_options: [],
  };
}
