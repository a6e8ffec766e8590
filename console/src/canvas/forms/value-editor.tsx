import { Link2, TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { useText } from "../../text/catalogue";
import { classes } from "../../ui/classes";
import { Popover } from "../../ui/popover/popover";
import { at, type JsonObject, textOf } from "../document/read";
import type { Value } from "../document/tree";
import { useFixedOutputs } from "../kinds";
import { operand } from "../model/card";
import { type Field, field, fitOf, letterOf, wantedType } from "../model/field";
import { graphOf, type Placed } from "../model/graph";
import { resolved, type Source, sourcesFor } from "../model/output";
import { referenceOf } from "../model/reference";
import { variablesIn } from "../model/variables";
import { useDeclaredVariables } from "../resources";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import { KindIcon } from "../view/kind-icon";
import { literalInput, literalOf, referenceInput, unsetInput, variableInput } from "./input";
import styles from "./value-editor.module.css";
import { VariablePicker } from "./variable-picker";

type Props = {
  node: Placed;
  label: string;
  input: Value | undefined;
  /** The type stays whatever is chosen; without it the input takes that of its source. */
  wanted?: Field | undefined;
  sources?: readonly Source[] | undefined;
  canBeLiteral?: boolean;
  /** Values of the steps inside become lists of them. */
  gathers?: boolean;
  isDisabled?: boolean;
  onChange: (json: JsonObject) => void;
};

/** What an input is filled with: a fixed value, or a place in another node. */
export function ValueEditor(props: Props) {
  const { node, label, input, wanted, canBeLiteral = true, isDisabled, onChange } = props;
  const text = useText(canvasText);
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  const [isOpen, setOpen] = useState(false);
  const type = wanted ?? wantedType(input, "");
  const reference = referenceOf(input);
  const sources = props.sources ?? (isOpen ? sourcesFor(graph, node.id, fixed) : []);
  const declared = useDeclaredVariables();
  const offersVariables = isOpen && !props.sources;
  const isObject = textOf(at(input, ["value", "type"])) === "object_ref";
  const picker = (
    <Popover
      label={text.picker.title}
      side="bottom"
      align="end"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className={styles.link}
          aria-label={text.picker.open(label)}
          disabled={isDisabled}
        >
          <Link2 size={14} />
        </button>
      }
    >
      <VariablePicker
        sources={sources}
        variables={offersVariables ? variablesIn(graph, declared) : []}
        wanted={wanted}
        onChoose={(choice) => {
          setOpen(false);
          const isGathered = props.gathers && choice.blockId !== node.id;
          const type = isGathered
            ? field("", "list", { item: choice.field })
            : (wanted ?? choice.field);
          onChange(
            choice.variable
              ? variableInput(type, choice.variable, choice.segments)
              : referenceInput(type, choice.blockId, choice.segments),
          );
        }}
      />
    </Popover>
  );
  if (reference) {
    const found = resolved(graph, node.id, reference, fixed);
    const isGlobal = reference.source !== "block-output";
    const fit = found?.field && !props.gathers ? fitOf(found.field, type) : "exact";
    const remarks = [
      found?.isFirst && text.picker.first,
      fit !== "converts" && text.picker.fits[fit],
    ].filter(Boolean);
    const from = isGlobal ? text.variables[reference.source] : found?.node.title;
    return (
      <div className={styles.editor}>
        <span
          className={classes(styles.chip, !isGlobal && !found?.field && styles.broken)}
          title={[from ?? text.card.gone, ...reference.segments].join(" . ")}
        >
          {found && <KindIcon type={found.node.type} />}
          <span className={styles.path}>
            <span className={styles.from}>{from ?? text.card.gone}</span>
            {reference.segments.length > 0 && ` . ${reference.segments.join(" . ")}`}
          </span>
          {found?.field && <span className={styles.letter}>{letterOf(found.field)}</span>}
          {remarks.length > 0 && (
            <span
              role="img"
              className={styles.remark}
              aria-label={remarks.join(", ")}
              title={remarks.join(", ")}
            >
              <TriangleAlert size={12} />
            </span>
          )}
          <button
            type="button"
            className={styles.clear}
            disabled={isDisabled}
            aria-label={text.form.clearValue(label)}
            onClick={() =>
              onChange(canBeLiteral ? literalInput(type, empty(type)) : unsetInput(type))
            }
          >
            <X size={12} />
          </button>
        </span>
        {picker}
      </div>
    );
  }
  if (isObject) {
    return (
      <div className={styles.editor}>
        <span className={styles.chip}>{text.form.assembled}</span>
        {picker}
      </div>
    );
  }
  return (
    <div className={styles.editor}>
      {canBeLiteral ? (
        <Literal
          label={label}
          type={type}
          input={input}
          isDisabled={isDisabled ?? false}
          onChange={onChange}
        />
      ) : (
        <button
          type="button"
          className={classes(styles.chip, styles.none)}
          disabled={isDisabled}
          onClick={() => setOpen(true)}
        >
          {text.form.chooseValue}
        </button>
      )}
      {picker}
    </div>
  );
}

function empty({ type }: Field): string | boolean {
  return type === "boolean" ? false : "";
}

type LiteralProps = {
  label: string;
  type: Field;
  input: Value | undefined;
  isDisabled: boolean;
  onChange: (json: JsonObject) => void;
};

function Literal({ label, type, input, isDisabled, onChange }: LiteralProps) {
  const text = useText(canvasText);
  const filled = operand(input);
  const content = at(input, ["value", "content"]);
  const said =
    filled.kind === "literal" && content?.kind === "leaf"
      ? content.raw.startsWith('"')
        ? textOf(content)
        : content.raw
      : "";
  if (type.type === "boolean") {
    return (
      <select
        className={styles.literal}
        aria-label={label}
        disabled={isDisabled}
        value={said === "true" ? "true" : "false"}
        onChange={(event) => onChange(literalInput(type, event.target.value === "true"))}
      >
        <option value="true">{text.form.yes}</option>
        <option value="false">{text.form.no}</option>
      </select>
    );
  }
  return (
    <input
      className={styles.literal}
      aria-label={label}
      disabled={isDisabled}
      placeholder={text.form.valuePlaceholder}
      inputMode={type.type === "integer" || type.type === "float" ? "decimal" : "text"}
      value={said}
      onChange={(event) => onChange(literalInput(type, literalOf(event.target.value, type)))}
    />
  );
}
