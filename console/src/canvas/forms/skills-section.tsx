import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Plug, Trash2, Workflow } from "lucide-react";
import { type ReactNode, useState } from "react";
import { client, unwrap } from "../../api/client";
import { useText } from "../../text/catalogue";
import { IconButton } from "../../ui/button/icon-button";
import { Combobox } from "../../ui/combobox/combobox";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { NumberField } from "../../ui/number/number-field";
import { Select } from "../../ui/select/select";
import { at, items, type Json, numberOf, textOf } from "../document/read";
import type { Path } from "../document/tree";
import type { Placed } from "../model/graph";
import { useBases } from "../resources";
import { canvasText } from "../text";
import { useEdit } from "./edit";
import { Section } from "./input-rows";
import rows from "./rows.module.css";
import styles from "./skills-section.module.css";

const SKILLS = ["data", "inputs", "fcParam"];
const TOOLS: Path = [...SKILLS, "pluginFCParam", "pluginList"];
const WORKFLOWS: Path = [...SKILLS, "workflowFCParam", "workflowList"];
const KNOWLEDGE = [...SKILLS, "knowledgeFCParam"];
const BASES: Path = [...KNOWLEDGE, "knowledgeList"];
const SETTING = [...KNOWLEDGE, "global_setting"];
const MODES = ["0", "1", "20"] as const;
const PARAMS = { request_params: [], response_params: [] };

/** What a model may call by itself, and what is searched before it answers. */
export function SkillsSection({ node }: { node: Placed }) {
  const text = useText(canvasText).skills;
  return (
    <Section title={text.title} path={SKILLS}>
      <div className={rows.stack}>
        <p className={rows.hint}>{text.why}</p>
        <Tools node={node} />
        <Workflows node={node} />
        <Bases node={node} />
      </div>
    </Section>
  );
}

function useLists() {
  const { workspaceId = "", workflowId = "" } = useParams({ strict: false });
  const path = { workspace_id: workspaceId };
  const params = { path, query: { limit: "100" } };
  const plugins = useQuery({
    queryKey: ["admin.plugins.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/plugins", { params, signal })),
  });
  const workflows = useQuery({
    queryKey: ["admin.workflows.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/workspaces/{workspace_id}/workflows", { params, signal })),
  });
  const { bases } = useBases();
  return {
    plugins: plugins.data?.items ?? [],
    workflows: (workflows.data?.items ?? []).filter((each) => each.id !== workflowId),
    bases,
  };
}

function Tools({ node }: { node: Placed }) {
  const text = useText(canvasText).skills;
  const edit = useEdit(node);
  const { plugins } = useLists();
  const [pluginId, setPluginId] = useState("");
  const tools = useQuery({
    queryKey: ["admin.plugin_tools.list", pluginId],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/plugins/{plugin_id}/tools", {
          params: { path: { plugin_id: pluginId } },
          signal,
        }),
      ),
    enabled: pluginId !== "",
  });
  const chosen = items(edit.at(TOOLS));
  const has = new Set(chosen.map((each) => textOf(at(each, ["api_id"]))));
  const plugin = plugins.find((each) => each.id === pluginId);
  const options = (pluginId ? (tools.data?.items ?? []) : [])
    .filter((each) => !has.has(each.id))
    .map((each) => ({ value: each.id, label: each.name, note: each.description || undefined }));
  return (
    <>
      <Chosen
        names={chosen.map((each) => {
          const id = textOf(at(each, ["plugin_id"]));
          const name = plugins.find((one) => one.id === id)?.name;
          return [name, textOf(at(each, ["api_name"])) || textOf(at(each, ["api_id"]))]
            .filter(Boolean)
            .join(" · ");
        })}
        icon={<Plug size={14} />}
        isDisabled={edit.isReadOnly}
        onRemove={(index) => edit.removeAt(TOOLS, index)}
      />
      {!edit.isReadOnly && (
        <div className={styles.add}>
          <Combobox
            label={text.plugin}
            isLabelHidden
            value={plugin && { value: plugin.id, label: plugin.name }}
            options={plugins.map((each) => ({ value: each.id, label: each.name }))}
            placeholder={text.plugin}
            canBeEmpty
            onChange={(option) => setPluginId(option?.value ?? "")}
          />
          <Combobox
            label={text.tool}
            isLabelHidden
            value={undefined}
            options={options}
            placeholder={text.tool}
            isDisabled={pluginId === ""}
            onChange={(option) =>
              option &&
              edit.add(TOOLS, {
                plugin_id: pluginId,
                api_id: option.value,
                api_name: option.label,
                plugin_version: "",
                is_draft: false,
                fc_setting: PARAMS,
              })
            }
          />
        </div>
      )}
    </>
  );
}

function Workflows({ node }: { node: Placed }) {
  const text = useText(canvasText).skills;
  const edit = useEdit(node);
  const { workflows } = useLists();
  const chosen = items(edit.at(WORKFLOWS)).map((each) => textOf(at(each, ["workflow_id"])));
  const options = workflows
    .filter((each) => each.is_published && !chosen.includes(each.id))
    .map((each) => ({ value: each.id, label: each.name, note: each.description || undefined }));
  return (
    <>
      <Chosen
        names={chosen.map((id) => workflows.find((each) => each.id === id)?.name ?? id)}
        icon={<Workflow size={14} />}
        isDisabled={edit.isReadOnly}
        onRemove={(index) => edit.removeAt(WORKFLOWS, index)}
      />
      {!edit.isReadOnly && (
        <Combobox
          label={text.workflow}
          isLabelHidden
          value={undefined}
          options={options}
          placeholder={text.workflow}
          onChange={(option) =>
            option &&
            edit.add(WORKFLOWS, {
              workflow_id: option.value,
              workflow_version: "",
              plugin_id: option.value,
              plugin_version: "",
              is_draft: false,
              fc_setting: PARAMS,
            })
          }
        />
      )}
    </>
  );
}

function Bases({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const { bases } = useLists();
  const names = new Map(bases.map((each) => [each.id, each.name]));
  const chosen = items(edit.at(BASES)).map((each) => textOf(at(each, ["id"])));
  const value = (name: string) => edit.at([...SETTING, name]);
  const set = (name: string, json: Json) => edit.set([...SETTING, name], json);
  const mode = MODES.find((each) => each === String(numberOf(value("search_mode")) ?? 1)) ?? "1";
  return (
    <>
      <MultiCombobox
        label={text.knowledge.bases}
        values={chosen.map((id) => ({ value: id, label: names.get(id) ?? id }))}
        options={bases.map((each) => ({ value: each.id, label: each.name }))}
        placeholder={text.knowledge.choose}
        isDisabled={edit.isReadOnly}
        onChange={(next) => {
          const old = items(edit.at(BASES));
          const kept = new Set(next.map((each) => each.value));
          const added = next.find((each) => !chosen.includes(each.value));
          const gone = old.findIndex((each) => !kept.has(textOf(at(each, ["id"]))));
          if (added) edit.add(BASES, { id: added.value, name: added.label });
          else if (gone >= 0) edit.removeAt(BASES, gone);
        }}
      />
      {chosen.length > 0 && (
        <>
          <Select
            label={text.knowledge.strategy}
            value={mode}
            isDisabled={edit.isReadOnly}
            options={MODES.map((each) => ({ value: each, label: text.knowledge.strategies[each] }))}
            onChange={(next) => set("search_mode", Number(next))}
          />
          <div className={rows.row}>
            <NumberField
              label={text.knowledge.topK}
              value={numberOf(value("top_k")) ?? 5}
              min={1}
              max={20}
              isDisabled={edit.isReadOnly}
              onChange={(next) => set("top_k", next ?? 5)}
            />
            <NumberField
              label={text.knowledge.minScore}
              value={numberOf(value("min_score")) ?? 0}
              min={0}
              max={1}
              step={0.05}
              isDisabled={edit.isReadOnly}
              onChange={(next) => set("min_score", next ?? 0)}
            />
          </div>
        </>
      )}
    </>
  );
}

type ChosenProps = {
  names: readonly string[];
  icon: ReactNode;
  isDisabled: boolean;
  onRemove: (index: number) => void;
};

/** Skills that the node has, each to be taken away. */
function Chosen({ names, icon, isDisabled, onRemove }: ChosenProps) {
  const text = useText(canvasText).skills;
  if (names.length === 0) return null;
  return (
    <ul className={styles.chosen}>
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same tool may stand there twice
        <li key={`${index} ${name}`} className={styles.item}>
          {icon}
          <span className={styles.name}>{name}</span>
          {!isDisabled && (
            <IconButton
              size="compact"
              label={text.remove(name)}
              icon={<Trash2 size={14} />}
              onClick={() => onRemove(index)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
