import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useText } from "../../../text/catalogue";
import {
  ARRAY,
  BOOLEAN,
  INTEGER,
  ITEM,
  NUMBER,
  newParameter,
  OBJECT,
  type Parameter,
  readValue,
  retyped,
  STRING,
  type ValueType,
  valueText,
} from "../../../tool/rules";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { Select } from "../../../ui/select/select";
import { uiText } from "../../../ui/text";
import field from "../../../ui/text-field/text-field.module.css";
import unseen from "../../../ui/unseen.module.css";
import styles from "./parameter-list.module.css";
import { toolText } from "./text";

const TYPES = ["1", "2", "3", "6", "4", "5"] as const;
const NUMBERS: Readonly<Record<(typeof TYPES)[number], ValueType>> = {
  "1": STRING,
  "2": INTEGER,
  "3": NUMBER,
  "6": BOOLEAN,
  "4": OBJECT,
  "5": ARRAY,
};
const PLACES = ["path", "query", "header", "cookie", "body"] as const;

type Props = {
  parameters: readonly Parameter[];
  /** Those of a request: where they travel and whether the model sees them. */
  isInput?: boolean;
  /** Properties inside another one, which travel where that does. */
  isInner?: boolean;
  /** Holds the one kind of thing that a list holds. */
  isItem?: boolean;
  isDisabled: boolean;
  onChange: (parameters: Parameter[]) => void;
};

/** Parameters of a tool, or properties of its answer, with all that lies inside them. */
export function ParameterList(props: Props) {
  const { parameters, isInput, isInner, isItem, isDisabled, onChange } = props;
  const text = useText(toolText);
  return (
    <div className={isInner ? styles.inner : styles.list}>
      {parameters.length === 0 && !isInner && (
        <p className={styles.note}>{isInput ? text.noParameters : text.noProperties}</p>
      )}
      {parameters.map((parameter, index) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
          key={index}
          parameter={parameter}
          isInput={isInput ?? false}
          isInner={isInner ?? false}
          isItem={isItem ?? false}
          isDisabled={isDisabled}
          onChange={(next) => onChange(parameters.map((each, at) => (at === index ? next : each)))}
          onRemove={() => onChange(parameters.filter((_, at) => at !== index))}
        />
      ))}
      {!isDisabled && !isItem && (
        <div>
          <Button
            size="compact"
            kind={isInner ? "quiet" : "plain"}
            icon={<Plus size={14} />}
            onClick={() =>
              onChange([
                ...parameters,
                { ...newParameter(""), location: isInput && !isInner ? "query" : "body" },
              ])
            }
          >
            {isInput && !isInner ? text.addParameter : text.addProperty}
          </Button>
        </div>
      )}
    </div>
  );
}

type RowProps = {
  parameter: Parameter;
  isInput: boolean;
  isInner: boolean;
  isItem: boolean;
  isDisabled: boolean;
  onChange: (parameter: Parameter) => void;
  onRemove: () => void;
};

function Row(props: RowProps) {
  const { parameter, isInput, isInner, isItem, isDisabled, onChange, onRemove } = props;
  const text = useText(toolText);
  const ui = useText(uiText);
  const { name, description, type = STRING, location = "body" } = parameter;
  const put = (change: Partial<Parameter>) => onChange({ ...parameter, ...change });
  const isNested = type === OBJECT || type === ARRAY;
  const called = name || text.unnamed;
  return (
    <fieldset disabled={isDisabled} className={styles.parameter}>
      <legend className={unseen.unseen}>{isItem ? text.items : called}</legend>
      <div className={styles.line}>
        {isItem ? (
          <span className={styles.item}>{text.items}</span>
        ) : (
          <input
            aria-label={text.parameterName}
            placeholder={text.parameterName}
            value={name}
            onChange={(event) => put({ name: event.target.value })}
            autoComplete="off"
            spellCheck={false}
            className={`${field.input} ${styles.code}`}
          />
        )}
        <Select
          label={text.typeOf(called)}
          isLabelHidden
          value={TYPES.find((each) => NUMBERS[each] === type)}
          options={TYPES.map((value) => ({ value, label: text.types[value] }))}
          onChange={(value) => onChange(retyped(parameter, NUMBERS[value]))}
          isDisabled={isDisabled}
        />
        {isInput && !isInner && (
          <Select
            label={text.placeOf(called)}
            isLabelHidden
            value={location}
            options={PLACES.map((value) => ({ value, label: text.places[value] }))}
            onChange={(place) => put({ location: place })}
            isDisabled={isDisabled}
          />
        )}
        {!isItem && !isDisabled && (
          <IconButton
            size="compact"
            label={ui.removeOne(called)}
            icon={<Trash2 size={16} />}
            onClick={onRemove}
          />
        )}
      </div>
      <input
        aria-label={text.descriptionOf(called)}
        placeholder={text.meaning}
        value={description}
        onChange={(event) => put({ description: event.target.value })}
        autoComplete="off"
        className={field.input}
      />
      {!isItem && (
        <div className={styles.facts}>
          <Checkbox
            label={text.required}
            isChecked={parameter.required}
            onChange={(required) => put({ required })}
          />
          {isInput && (
            <Checkbox
              label={text.visible}
              isChecked={parameter.visible}
              onChange={(visible) => put({ visible })}
            />
          )}
          {isInput && !isNested && <Preset parameter={parameter} onChange={put} />}
        </div>
      )}
      {isNested && (
        <ParameterList
          parameters={parameter.sub_parameters}
          isInput={isInput}
          isInner
          isItem={type === ARRAY && parameter.sub_parameters[0]?.name === ITEM}
          isDisabled={isDisabled}
          onChange={(sub_parameters) => put({ sub_parameters })}
        />
      )}
    </fieldset>
  );
}

type PresetProps = { parameter: Parameter; onChange: (change: Partial<Parameter>) => void };

/** What is sent where the model gives nothing, or always where it sees nothing. */
function Preset({ parameter, onChange }: PresetProps) {
  const text = useText(toolText);
  const { type = STRING, visible, local_default: stored, default: declared } = parameter;
  const [typed, setTyped] = useState(() => valueText(stored));
  const isWrong = readValue(typed, type).isWrong ?? false;
  const label = visible ? text.preset : text.fixed;
  return (
    <span className={styles.preset}>
      <input
        aria-label={`${label}: ${parameter.name}`}
        placeholder={valueText(declared) || label}
        aria-invalid={isWrong || undefined}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          const { value, isWrong: cannot } = readValue(event.target.value, type);
          if (!cannot) onChange({ local_default: value ?? null });
        }}
        autoComplete="off"
        className={field.input}
      />
      {isWrong && (
        <span role="alert" className={field.error}>
          {text.wrongType}
        </span>
      )}
    </span>
  );
}
