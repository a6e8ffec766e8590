import { Boxes, CloudCog, Cpu, Server } from "lucide-react";
import { GroupField } from "../../../groups/group-field";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { ErrorLine } from "../../../ui/error-state/error-line";
import type { Failure } from "../../../ui/error-state/failure";
import { NumberField } from "../../../ui/number/number-field";
import { RadioCards } from "../../../ui/radio-cards/radio-cards";
import { Segmented } from "../../../ui/segmented/segmented";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { TextField } from "../../../ui/text-field/text-field";
import { type Model, useProviders } from "../queries";
import { ABILITIES, type ModelEdit, NEW, type Tools } from "./edit";
import { Fallbacks } from "./fallbacks";
import { KeyField } from "./key-field";
import styles from "./model-screen.module.css";
import { Prices } from "./prices";
import { modelText } from "./text";

const TOOLS: readonly Tools[] = [
  "native",
  "prompt_prefix",
  "prompt_tags",
  "prompt_jsonrpc",
  "none",
];
const EXAMPLE = "https://models.example.com/v1";
const SIGNS: Readonly<Record<string, typeof Server>> = { offline: Cpu, ollama: Server };

type Props = {
  model: Model | undefined;
  edit: ModelEdit;
  failure: Failure | undefined;
  isDisabled: boolean;
  isDetecting: boolean;
  onEdit: (change: Partial<ModelEdit>) => void;
  onDetect: (() => void) | undefined;
};

/** Everything that is set of a model, in the order in which a new one is made. */
export function ModelForm(props: Props) {
  const { model, edit, failure, isDisabled, onEdit } = props;
  const text = useText(modelText);
  const providers = useProviders() ?? [];
  const offered = providers.filter((each) => each.types.includes(edit.type));
  const provider = providers.find((each) => each.class === edit.provider);
  const fields = fieldsOf(provider?.connection_schema);
  return (
    <>
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{
            provider: text.provider.title,
            name: text.fields.name,
            "display.name": text.fields.name,
            description: text.fields.description,
            "display.description": text.fields.description,
            "display.max_tokens": text.limits.window,
            "display.output_tokens": text.limits.output,
            "connection.base_url": text.fields.address,
            base_url: text.fields.address,
            "connection.model": text.fields.upstream,
            aliases: text.fields.aliases,
            groups: text.fields.groups,
            concurrency: text.limits.concurrency,
          }}
        />
      )}
      <section aria-label={text.provider.title} className={styles.part}>
        <h2 className={styles.title}>{text.provider.title}</h2>
        {!model && (
          <div>
            <Segmented
              label={text.type}
              value={edit.type}
              options={(["llm", "embedding", "rerank"] as const).map((value) => ({
                value,
                label: text.types[value],
              }))}
              onChange={(type) =>
                onEdit({ type, provider: type === "rerank" ? "jina" : NEW.provider, fallbacks: [] })
              }
            />
          </div>
        )}
        <RadioCards
          label={text.provider.title}
          isLabelHidden
          value={edit.provider}
          columns={2}
          isDisabled={isDisabled}
          options={offered.map((each) => {
            const Sign = SIGNS[each.class] ?? (each.class === "openai" ? Boxes : CloudCog);
            return {
              value: each.class,
              label: text.provider.names[each.class] ?? each.name,
              note: text.provider.notes[each.class] ?? "",
              icon: <Sign size={16} strokeWidth={1.5} />,
            };
          })}
          onChange={(chosen) => onEdit({ provider: chosen })}
        />
        {fields.has("base_url") && (
          <TextField
            label={text.fields.address}
            value={edit.address}
            onChange={(address) => onEdit({ address })}
            placeholder={EXAMPLE}
            type="url"
            autoComplete="off"
            spellCheck={false}
            disabled={isDisabled}
            required
          />
        )}
        {fields.has("api_key") && (
          <KeyField
            stored={model?.settings?.connection.api_key}
            value={edit.key}
            isDisabled={isDisabled}
            onChange={(key) => onEdit({ key })}
          />
        )}
      </section>
      <section aria-label={text.names.title} className={styles.part}>
        <h2 className={styles.title}>{text.names.title}</h2>
        <div className={styles.pair}>
          <TextField
            label={text.fields.name}
            hint={text.fields.nameHint}
            value={edit.name}
            onChange={(name) => onEdit({ name })}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            disabled={isDisabled}
            required
          />
          {fields.has("model") && (
            <TextField
              label={text.fields.upstream}
              hint={text.fields.upstreamHint}
              value={edit.upstream}
              placeholder={edit.name}
              onChange={(upstream) => onEdit({ upstream })}
              maxLength={200}
              autoComplete="off"
              spellCheck={false}
              disabled={isDisabled}
            />
          )}
        </div>
        <TextField
          label={text.fields.description}
          value={edit.description}
          onChange={(description) => onEdit({ description })}
          maxLength={2000}
          autoComplete="off"
          disabled={isDisabled}
        />
        <TextField
          label={text.fields.aliases}
          hint={text.fields.aliasesHint}
          value={edit.aliases}
          onChange={(aliases) => onEdit({ aliases })}
          autoComplete="off"
          spellCheck={false}
          disabled={isDisabled}
        />
        <GroupField
          label={text.fields.groups}
          hint={text.fields.groupsHint}
          placeholder={text.fields.everybody}
          ids={edit.groups}
          isDisabled={isDisabled}
          onChange={(groups) => onEdit({ groups })}
        />
        <Uses {...props} />
      </section>
      <section aria-label={text.limits.title} className={styles.part}>
        <h2 className={styles.title}>{text.limits.title}</h2>
        <div className={styles.three}>
          {edit.type === "llm" && (
            <>
              <NumberField
                label={text.limits.window}
                value={edit.window}
                min={1}
                step={1000}
                unit={text.tokens}
                placeholder={text.limits.known}
                isDisabled={isDisabled}
                onChange={(window) => onEdit({ window })}
              />
              <NumberField
                label={text.limits.output}
                value={edit.output}
                min={1}
                step={100}
                unit={text.tokens}
                placeholder={text.limits.known}
                isDisabled={isDisabled}
                onChange={(output) => onEdit({ output })}
              />
            </>
          )}
          <NumberField
            label={text.limits.concurrency}
            value={edit.concurrency}
            min={1}
            placeholder={text.limits.deployment}
            isDisabled={isDisabled}
            onChange={(concurrency) => onEdit({ concurrency })}
          />
        </div>
      </section>
      {edit.type === "llm" && <Capabilities {...props} />}
      <Fallbacks model={model} edit={edit} isDisabled={isDisabled} onEdit={onEdit} />
      <Prices model={model} edit={edit} isDisabled={isDisabled} onEdit={onEdit} />
    </>
  );
}

function Uses({ edit, isDisabled, onEdit }: Props) {
  const text = useText(modelText);
  if (isDisabled) return null;
  return (
    <div className={styles.stack}>
      <Switch
        label={text.uses.enabled}
        isOn={edit.isEnabled}
        onChange={(isEnabled) => onEdit({ isEnabled })}
      />
      <Switch
        label={text.uses.default(text.types[edit.type])}
        isOn={edit.isDefault}
        onChange={(isDefault) => onEdit({ isDefault })}
      />
      {edit.type === "llm" && (
        <Switch
          label={text.uses.vision}
          isOn={edit.isVisionDefault}
          onChange={(isVisionDefault) => onEdit({ isVisionDefault })}
        />
      )}
    </div>
  );
}

function Capabilities({ edit, isDisabled, isDetecting, onEdit, onDetect }: Props) {
  const { abilities: text } = useText(modelText);
  const { abilities } = edit;
  return (
    <section aria-label={text.title} className={styles.part}>
      <div className={styles.bar}>
        <h2 className={styles.title}>{text.title}</h2>
        {!isDisabled && (
          <Button size="compact" disabled={!onDetect} isLoading={isDetecting} onClick={onDetect}>
            {text.detect}
          </Button>
        )}
      </div>
      {!isDisabled && (
        <div>
          <Segmented
            label={text.whose}
            value={edit.isOwn ? "own" : "known"}
            options={[
              { value: "known", label: text.known },
              { value: "own", label: text.own },
            ]}
            onChange={(value) => onEdit({ isOwn: value === "own" })}
          />
        </div>
      )}
      <p className={styles.note}>{edit.isOwn ? text.ownWhy : text.knownWhy}</p>
      {(edit.isOwn || isDisabled) && (
        <>
          <Select
            label={text.tools}
            value={abilities.tools}
            options={TOOLS.map((value) => ({ value, label: text.toolKinds[value] }))}
            isDisabled={isDisabled}
            onChange={(tools) => onEdit({ abilities: { ...abilities, tools } })}
          />
          <div className={styles.checks}>
            {ABILITIES.map((name) => (
              <Checkbox
                key={name}
                label={text.names[name]}
                isChecked={abilities[name]}
                onChange={(isSet) =>
                  !isDisabled && onEdit({ abilities: { ...abilities, [name]: isSet } })
                }
              />
            ))}
          </div>
        </>
      )}
    </section>
  );
}

/** What a provider wants to be told to be reached, by the names of its schema. */
function fieldsOf(schema: Readonly<Record<string, unknown>> | undefined): ReadonlySet<string> {
  const properties = schema?.["properties"];
  return new Set(
    typeof properties === "object" && properties !== null ? Object.keys(properties) : [],
  );
}
