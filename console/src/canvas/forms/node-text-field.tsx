import { Braces } from "lucide-react";
import { useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Popover } from "../../ui/popover/popover";
import { TextArea } from "../../ui/text-field/text-area";
import type { Path } from "../document/tree";
import { useFixedOutputs } from "../kinds";
import { graphOf, type Placed } from "../model/graph";
import { sourcesFor } from "../model/output";
import { variablesIn } from "../model/variables";
import { useDeclaredVariables } from "../resources";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import { shows } from "./lead";
import styles from "./rows.module.css";
import { type Choice, VariablePicker } from "./variable-picker";

type Props = {
  node: Placed;
  label: string;
  /** Where the text stands in the node. */
  path: Path;
  value: string;
  rows: number;
  isDisabled?: boolean;
  onChange: (text: string) => void;
};

/** A text that names outputs of other nodes directly, as those of HTTP nodes do. */
export function NodeTextField({ node, label, path, value, rows, isDisabled, onChange }: Props) {
  const text = useText(canvasText);
  const fixed = useFixedOutputs();
  const graph = useCanvas((state) => graphOf(state.root));
  const declared = useDeclaredVariables();
  const frame = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const read = [...value.matchAll(/\{\{ *block_output_([^.\s}]+)\.?([^}]*?) *\}\}/g)].map(
    ([, id = "", path = ""]) => `${graph.nodes.get(id)?.title ?? text.card.gone}.${path}`,
  );
  function put({ variable, blockId, segments }: Choice): void {
    const area = frame.current?.querySelector("textarea");
    const at = area?.selectionStart ?? value.length;
    const [first, ...deeper] = segments;
    const name = variable
      ? `{{${[`${variable}["${first}"]`, ...deeper].join(".")}}}`
      : `{{block_output_${blockId}.${segments.join(".")}}}`;
    onChange(value.slice(0, at) + name + value.slice(area?.selectionEnd ?? at));
    setOpen(false);
  }
  return (
    <div className={styles.rows} ref={frame} {...shows(path)}>
      <TextArea
        label={label}
        value={value}
        rows={rows}
        disabled={isDisabled}
        spellCheck={false}
        onChange={onChange}
      />
      {!isDisabled && (
        <div className={styles.row}>
          <Popover
            label={text.picker.title}
            isOpen={isOpen}
            onOpenChange={setOpen}
            trigger={
              <Button size="compact" kind="quiet" icon={<Braces size={14} />}>
                {text.form.insertValue}
              </Button>
            }
          >
            <VariablePicker
              sources={isOpen ? sourcesFor(graph, node.id, fixed) : []}
              variables={isOpen ? variablesIn(graph, declared) : []}
              wanted={undefined}
              onChoose={put}
            />
          </Popover>
        </div>
      )}
      {read.length > 0 && (
        <div className={styles.chips}>
          {[...new Set(read)].map((each) => (
            <span key={each} className={styles.chip}>
              {each}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
