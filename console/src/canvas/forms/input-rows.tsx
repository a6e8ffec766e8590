import { Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { setInNode } from "../commands/nodes";
import { renameInput } from "../commands/rename";
import { at, items, textOf } from "../document/read";
import type { Path } from "../document/tree";
import { type Field, field, wantedType } from "../model/field";
import type { Placed } from "../model/graph";
import type { Source } from "../model/output";
import { canvasText } from "../text";
import { useEdit } from "./edit";
import { unsetInput } from "./input";
import { shows } from "./lead";
import { freeName, NameField } from "./name-field";
import styles from "./rows.module.css";
import { ValueEditor } from "./value-editor";

type SectionProps = {
  title: string;
  aside?: ReactNode;
  /** The place of the node that it shows. */
  path?: Path;
  children: ReactNode;
};

/** A part of a form with its heading. */
export function Section({ title, aside, path, children }: SectionProps) {
  return (
    <section className={styles.section} {...(path && shows(path))}>
      <header className={styles.head}>
        <h2 className={styles.heading}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

type Props = {
  node: Placed;
  title: string;
  /** The list of inputs in the node. */
  path?: Path;
  /** Names and number of inputs are those of the kind. */
  isFixed?: boolean;
  /** Names need not be such as code and templates can use. */
  anyName?: boolean;
  hint?: string | undefined;
  /** The type of an input that is added. */
  type?: Field;
  /** Calls an input otherwise wherever the canvas reads it. */
  rename?: typeof renameInput;
  sources?: readonly Source[];
  /** They are what the workflow gives to whoever calls it. */
  isGiven?: boolean;
};

const TEXT = field("", "string");
const PARAMETERS: Path = ["data", "inputs", "inputParameters"];

/** The inputs of a node: what they are called, and what they are filled with. */
export function InputRows({
  node,
  title,
  path = PARAMETERS,
  isFixed,
  anyName,
  hint,
  type = TEXT,
  rename = renameInput,
  sources,
  isGiven,
}: Props) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const inputs = items(edit.at(path));
  const names = inputs.map((each) => textOf(at(each, ["name"])));
  /** The place of what was added last: its name is to be written. */
  const [added, setAdded] = useState<number>();
  return (
    <Section
      title={title}
      path={path}
      aside={
        !isFixed &&
        !edit.isReadOnly && (
          <IconButton
            size="compact"
            label={isGiven ? text.form.addOutput : text.form.addInput}
            icon={<Plus size={16} />}
            onClick={() => {
              setAdded(inputs.length);
              edit.add(path, {
                name: freeName(names, isGiven ? "output" : "input"),
                input: unsetInput(type),
              });
            }}
          />
        )
      }
    >
      <div className={styles.rows}>
        {hint && <p className={styles.hint}>{hint}</p>}
        {inputs.map((each, index) => {
          const name = names[index] ?? "";
          const here = [...path, index];
          const value = at(each, ["input"]);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: an input keeps its place while its name is typed
            <div className={styles.row} key={index} {...shows(here)}>
              {isFixed ? (
                <span className={styles.fixed} title={name}>
                  {name}
                </span>
              ) : (
                <NameField
                  name={name}
                  others={names.filter((_, other) => other !== index)}
                  isDisabled={edit.isReadOnly}
                  anyName={anyName ?? false}
                  isNew={index === added}
                  onChange={(next) =>
                    edit.change(text.steps.renameInput(next), (root) =>
                      setInNode(
                        rename(root, node.id, name, next),
                        node.id,
                        [...here, "name"],
                        next,
                      ),
                    )
                  }
                />
              )}
              <ValueEditor
                node={node}
                label={name}
                path={[...here, "input"]}
                sources={sources}
                wanted={isFixed ? wantedType(value, name) : undefined}
              />
              {!isFixed && !edit.isReadOnly && (
                <IconButton
                  size="compact"
                  label={text.form.removeInput(name)}
                  icon={<Trash2 size={14} />}
                  onClick={() => edit.removeAt(path, index)}
                />
              )}
            </div>
          );
        })}
        {inputs.length === 0 && (
          <p className={styles.nothing}>{isGiven ? text.form.noExitOutputs : text.form.noInputs}</p>
        )}
      </div>
    </Section>
  );
}
