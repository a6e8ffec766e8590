import { Bot, Database, LibraryBig, Plug, Workflow } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useText } from "../../../text/catalogue";
import { Combobox } from "../../../ui/combobox/combobox";
import { workflowsText } from "../text";
import { useTools } from "./choices";
import styles from "./import-dialog.module.css";
import { type Choice, type Kind, proposal, type Want } from "./rules";

const ICONS: Readonly<Record<Kind, ReactNode>> = {
  workflow: <Workflow size={16} />,
  model: <Bot size={16} />,
  dataset: <LibraryBig size={16} />,
  plugin: <Plug size={16} />,
  database: <Database size={16} />,
};

type Props = {
  wants: readonly Want[];
  choicesOf: (kind: Kind) => readonly Choice[];
  chosen: Readonly<Record<string, string>>;
  isDisabled: boolean;
  onChoose: (key: string, value: string) => void;
};

/** What of this workspace stands for what the files name. */
export function MappingTable({ wants, choicesOf, chosen, isDisabled, onChoose }: Props) {
  const { mapping: text, resources } = useText(workflowsText);
  return (
    <section className={styles.mapping} aria-labelledby="import-mapping">
      <h3 id="import-mapping" className={styles.heading}>
        {text.title}
      </h3>
      <p className={styles.quiet}>{text.why}</p>
      <ul className={styles.wants}>
        {wants.map((want) => (
          <li key={want.key} className={styles.want}>
            <span className={styles.sign} title={resources[want.kind]}>
              {ICONS[want.kind]}
            </span>
            <span className={styles.words}>
              <span className={styles.name}>{want.name || text.unnamed(resources[want.kind])}</span>
              <span className={styles.small}>
                {[want.titles.slice(0, 3).join(", "), want.id].filter(Boolean).join(" · ")}
              </span>
            </span>
            <span className={styles.choice}>
              {want.kind === "plugin" ? (
                <ToolChoice
                  want={want}
                  plugins={choicesOf("plugin")}
                  value={chosen[want.key] ?? ""}
                  isDisabled={isDisabled}
                  onChoose={(value) => onChoose(want.key, value)}
                />
              ) : (
                <Combobox
                  label={text.standsFor(want.name || want.id)}
                  isLabelHidden
                  value={choicesOf(want.kind).find((each) => each.value === chosen[want.key])}
                  options={choicesOf(want.kind)}
                  placeholder={text.later}
                  canBeEmpty
                  isDisabled={isDisabled}
                  onChange={(option) => onChoose(want.key, option?.value ?? "")}
                />
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type ToolProps = {
  want: Want;
  plugins: readonly Choice[];
  value: string;
  isDisabled: boolean;
  onChoose: (value: string) => void;
};

/** A plugin, and the tool of it that is meant. */
function ToolChoice({ want, plugins, value, isDisabled, onChoose }: ToolProps) {
  const { mapping: text } = useText(workflowsText);
  const [pluginId = "", toolId = ""] = value.split("/");
  const tools = useTools(want.detail ? pluginId : "");
  const proposed = pluginId && !toolId ? proposal(want, tools)?.value : undefined;
  useEffect(() => {
    if (proposed) onChoose(`${pluginId}/${proposed}`);
  }, [proposed, pluginId, onChoose]);
  return (
    <>
      <Combobox
        label={text.standsFor(want.name || want.id)}
        isLabelHidden
        value={plugins.find((each) => each.value === pluginId)}
        options={plugins}
        placeholder={text.later}
        canBeEmpty
        isDisabled={isDisabled}
        onChange={(option) => onChoose(option?.value ?? "")}
      />
      {want.detail && pluginId && (
        <Combobox
          label={text.tool}
          isLabelHidden
          value={tools.find((each) => each.value === toolId)}
          options={tools}
          placeholder={text.tool}
          isDisabled={isDisabled}
          onChange={(option) => onChoose(option ? `${pluginId}/${option.value}` : pluginId)}
        />
      )}
    </>
  );
}
