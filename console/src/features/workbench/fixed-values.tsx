import { Eye, EyeOff, Lock, LockOpen } from "lucide-react";
import { useMemo, useState } from "react";
import type { ToolView } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { ArgumentField } from "../../tool/argument-field";
import { type Parameter, parametersOf, readValue, STRING, valueText } from "../../tool/rules";
import { IconButton } from "../../ui/button/icon-button";
import styles from "./bound-tool.module.css";
import type { Draft } from "./edits";
import { workbenchText } from "./text";

type Tool = Draft["plugins"][number];

type Props = { tool: ToolView; bound: Tool; onChange: (change: Partial<Tool>) => void };

/** Values of parameters that the model neither sees nor changes; a lock says which are fixed. */
export function FixedValues({ tool, bound, onChange }: Props) {
  const text = useText(workbenchText).tools;
  const parameters = useMemo(() => parametersOf(tool.input_schema), [tool.input_schema]);
  const fixed = bound.defaults ?? {};
  const secrets = bound.secrets ?? [];
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  if (parameters.length === 0) return <p className={styles.why}>{text.noParameters}</p>;
  const without = (name: string) =>
    Object.fromEntries(Object.entries(fixed).filter(([key]) => key !== name));
  function fix(parameter: Parameter, words: string): void {
    setTyped({ ...typed, [parameter.name]: words });
    const read = readValue(words, parameter.type ?? STRING);
    if (read.isWrong) return;
    if (read.value === undefined) free(parameter.name, words);
    else onChange({ defaults: { ...fixed, [parameter.name]: read.value } });
  }
  function free(name: string, words = ""): void {
    setTyped({ ...typed, [name]: words });
    onChange({ defaults: without(name), secrets: secrets.filter((each) => each !== name) });
  }
  return (
    <div className={styles.fixed}>
      <p className={styles.why}>{text.fixedWhy}</p>
      {parameters.map((parameter) => {
        const { name, type = STRING } = parameter;
        const isFixed = name in fixed;
        const isSecret = secrets.includes(name);
        const words = typed[name] ?? (isFixed ? valueText(fixed[name]) : "");
        return (
          <div key={name} className={styles.value}>
            <ArgumentField
              parameter={{ ...parameter, required: false }}
              value={words}
              error={readValue(words, type).isWrong ? text.wrongType : undefined}
              onChange={(next) => fix(parameter, next)}
            />
            <span className={styles.lock}>
              {isFixed && (
                <IconButton
                  size="compact"
                  label={text.secret(name)}
                  aria-pressed={isSecret}
                  icon={isSecret ? <EyeOff size={14} /> : <Eye size={14} />}
                  onClick={() =>
                    onChange({
                      secrets: isSecret
                        ? secrets.filter((each) => each !== name)
                        : [...secrets, name],
                    })
                  }
                />
              )}
              <IconButton
                size="compact"
                label={isFixed ? text.free(name) : text.modelGives(name)}
                aria-disabled={!isFixed}
                icon={isFixed ? <Lock size={14} /> : <LockOpen size={14} />}
                onClick={() => isFixed && free(name)}
              />
            </span>
          </div>
        );
      })}
    </div>
  );
}
