import { useText } from "../text/catalogue";
import { Select } from "../ui/select/select";
import { TextArea } from "../ui/text-field/text-area";
import { TextField } from "../ui/text-field/text-field";
import { ARRAY, BOOLEAN, OBJECT, type Parameter, STRING, valueText } from "./rules";
import { toolCallText } from "./text";

type Props = {
  parameter: Parameter;
  value: string;
  error?: string | undefined;
  onChange: (value: string) => void;
};

/** One argument of a test call, as its type is typed. */
export function ArgumentField({ parameter, value, error, onChange }: Props) {
  const text = useText(toolCallText);
  const { name, description, type = STRING, required, enum: choices } = parameter;
  const facts = { label: name, error, ...(description ? { hint: description } : {}) };
  const preset = valueText(parameter.default);
  if (choices.length > 0 || type === BOOLEAN) {
    const known = choices.length > 0 ? choices.map(valueText) : ["true", "false"];
    return (
      <Select
        {...facts}
        isRequired={required}
        value={value}
        placeholder={preset || text.nothing}
        options={["", ...known].map((each) => ({ value: each, label: each || text.nothing }))}
        onChange={onChange}
      />
    );
  }
  if (type === OBJECT || type === ARRAY) {
    return (
      <TextArea
        {...facts}
        isRequired={required}
        isShort
        isCode
        value={value}
        placeholder={type === ARRAY ? "[]" : "{}"}
        onChange={onChange}
        spellCheck={false}
      />
    );
  }
  return (
    <TextField
      {...facts}
      value={value}
      onChange={onChange}
      placeholder={preset}
      inputMode={type === STRING ? "text" : "decimal"}
      autoComplete="off"
      required={required}
    />
  );
}
