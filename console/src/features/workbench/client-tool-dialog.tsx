import { useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { badTool, firstParameters, parametersIn } from "./client-tool";
import styles from "./client-tool-dialog.module.css";
import type { Draft } from "./edits";
import { workbenchText } from "./text";

type Tool = Draft["client_tools"][number];

type Props = {
  /** What is there already; nothing for a new one. */
  tool: Tool | undefined;
  /** Names of the others. */
  taken: readonly string[];
  isReadOnly: boolean;
  onSave: (tool: Tool) => void;
  onClose: () => void;
};

/** What the model learns of a tool that the client carries out. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ClientToolDialog({ tool, taken, isReadOnly, onSave, onClose }: Props) {
  const text = useText(workbenchText).clientTool;
  const { cancel } = useText(uiText);
  const [name, setName] = useState(tool?.name ?? "");
  const [description, setDescription] = useState(tool?.description ?? "");
  const [schema, setSchema] = useState(() => firstParameters(tool?.parameters));
  const [isTried, setTried] = useState(false);
  const bad = badTool(name, schema, taken);
  function save(): void {
    setTried(true);
    const parameters = parametersIn(schema);
    if (!bad && parameters) onSave({ name, description, parameters });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={tool ? text.change(tool.name) : text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" disabled={isReadOnly} onClick={save}>
            {text.save}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          required
          error={isTried && bad?.field === "name" ? text.bad[bad.why] : undefined}
          onChange={setName}
        />
        <TextArea
          label={text.description}
          hint={text.descriptionHint}
          value={description}
          rows={2}
          onChange={setDescription}
        />
        <TextArea
          label={text.parameters}
          hint={text.parametersHint}
          value={schema}
          isCode
          rows={10}
          spellCheck={false}
          error={isTried && bad?.field === "parameters" ? text.bad[bad.why] : undefined}
          onChange={setSchema}
        />
      </div>
    </Dialog>
  );
}
