import { useText } from "../../../text/catalogue";
import { NumberField } from "../../../ui/number/number-field";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { isTrue, numberOf } from "../../document/read";
import type { Placed } from "../../model/graph";
import { LLM } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { InputRows, Section } from "../input-rows";
import { ModelField } from "../model-field";
import { OutputRows } from "../output-rows";
import { paramsOf } from "../params";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { SkillsSection } from "../skills-section";
import { TemplateField } from "../template-field";

const PARAMS = ["data", "inputs", "llmParam"];
const FORMATS = ["0", "1", "2"] as const;
/** What the model has defaults for; left empty, its own hold. */
const SAMPLING = [
  { name: "topP", min: 0, max: 1, step: 0.05 },
  { name: "frequencyPenalty", min: -2, max: 2, step: 0.1 },
  { name: "presencePenalty", min: -2, max: 2, step: 0.1 },
] as const;

function ModelForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const params = paramsOf(edit, PARAMS);
  const isDisabled = edit.isReadOnly;
  const format = FORMATS.find((each) => each === params.text("responseFormat")) ?? "0";
  const number = (name: string) => numberOf(params.value(name));
  return (
    <>
      <Section title={text.form.model} path={PARAMS}>
        <div className={styles.stack}>
          <ModelField
            id={params.text("modelType")}
            name={params.text("modleName")}
            isDisabled={isDisabled}
            onChange={({ id, name }) => {
              params.set("modelType", "integer", id);
              params.set("modleName", "string", name);
            }}
            onClear={() => {
              params.set("modelType", "integer", "");
              params.set("modleName", "string", "");
            }}
          />
          <div className={styles.row}>
            <NumberField
              label={text.model.temperature}
              value={number("temperature")}
              min={0}
              max={2}
              step={0.1}
              isDisabled={isDisabled}
              onChange={(value) => params.set("temperature", "float", String(value ?? 0))}
            />
            <NumberField
              label={text.model.maxTokens}
              value={number("maxTokens")}
              min={1}
              step={256}
              isDisabled={isDisabled}
              onChange={(value) => params.set("maxTokens", "integer", String(value ?? 1024))}
            />
          </div>
          <div className={styles.thirds}>
            {SAMPLING.map(({ name, ...limits }) => (
              <NumberField
                key={name}
                label={text.model.sampling[name]}
                value={number(name)}
                {...limits}
                isDisabled={isDisabled}
                onChange={(value) =>
                  value === undefined
                    ? params.unset(name)
                    : params.set(name, "float", String(value))
                }
              />
            ))}
          </div>
          <p className={styles.hint}>{text.model.samplingWhy}</p>
        </div>
      </Section>
      <InputRows node={node} title={text.form.inputs} />
      <Section title={text.model.prompts}>
        <div className={styles.stack}>
          <TemplateField
            node={node}
            label={text.model.system}
            path={params.place("systemPrompt")}
            placeholder={text.model.systemHint}
            value={params.text("systemPrompt")}
            isDisabled={isDisabled}
            onChange={(said) => params.set("systemPrompt", "string", said)}
          />
          <TemplateField
            node={node}
            label={text.model.user}
            path={params.place("prompt")}
            value={params.text("prompt")}
            isDisabled={isDisabled}
            onChange={(said) => params.set("prompt", "string", said)}
          />
          <Switch
            label={text.model.history}
            hint={text.model.historyWhy}
            isOn={isTrue(params.value("enableChatHistory"))}
            isDisabled={isDisabled}
            onChange={(isOn) => params.set("enableChatHistory", "boolean", isOn)}
          />
          {isTrue(params.value("enableChatHistory")) && (
            <NumberField
              label={text.model.rounds}
              value={number("chatHistoryRound")}
              min={1}
              max={100}
              isDisabled={isDisabled}
              onChange={(value) => params.set("chatHistoryRound", "integer", String(value ?? 3))}
            />
          )}
          <Select
            label={text.model.format}
            value={format}
            isDisabled={isDisabled}
            options={FORMATS.map((value) => ({ value, label: text.model.formats[value] }))}
            onChange={(value) => params.set("responseFormat", "integer", value)}
          />
        </div>
      </Section>
      <SkillsSection node={node} />
      <OutputRows node={node} title={text.form.outputs} />
    </>
  );
}

export const form: NodeForm = {
  types: [LLM],
  Form: ModelForm,
  inputs: "none",
  outputs: "none",
  handlesErrors: true,
  hasBatch: true,
};
