import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { client, unwrap } from "../../../api/client";
import { useText } from "../../../text/catalogue";
import { MultiCombobox } from "../../../ui/combobox/multi-combobox";
import { NumberField } from "../../../ui/number/number-field";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { isTrue, items, numberOf, textOf } from "../../document/read";
import type { Placed } from "../../model/graph";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { Section } from "../input-rows";
import { paramsOf } from "../params";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

const RETRIEVE = "6";
const PARAMS = ["data", "inputs", "datasetParam"];
const STRATEGIES = ["0", "1", "20"] as const;
const SWITCHES = ["useRewrite", "useRerank", "useNl2sql", "isPersonalOnly"] as const;

function KnowledgeForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const params = paramsOf(edit, PARAMS);
  const { workspaceId = "" } = useParams({ strict: false });
  const bases = useQuery({
    queryKey: ["admin.datasets.list", workspaceId, "canvas"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workspaces/{workspace_id}/datasets", {
          params: { path: { workspace_id: workspaceId }, query: { limit: "100" } },
          signal,
        }),
      ),
  });
  const known = new Map(bases.data?.items.map((each) => [each.id, each.name]) ?? []);
  const chosen = items(params.value("datasetList")).map(textOf);
  const strategy = STRATEGIES.find((each) => each === params.text("strategy")) ?? "1";
  return (
    <Section title={text.knowledge.bases}>
      <div className={styles.stack}>
        <MultiCombobox
          label={text.knowledge.bases}
          isLabelHidden
          values={chosen.map((id) => ({ value: id, label: known.get(id) ?? id }))}
          options={[...known].map(([value, label]) => ({ value, label }))}
          placeholder={text.knowledge.choose}
          isDisabled={edit.isReadOnly}
          onChange={(values) =>
            params.set(
              "datasetList",
              "list",
              values.map((each) => each.value),
            )
          }
        />
        {node.type === RETRIEVE && (
          <>
            <Select
              label={text.knowledge.strategy}
              value={strategy}
              isDisabled={edit.isReadOnly}
              options={STRATEGIES.map((value) => ({
                value,
                label: text.knowledge.strategies[value],
              }))}
              onChange={(value) => params.set("strategy", "integer", Number(value))}
            />
            <div className={styles.row}>
              <NumberField
                label={text.knowledge.topK}
                value={numberOf(params.value("topK"))}
                min={1}
                max={20}
                isDisabled={edit.isReadOnly}
                onChange={(value) => params.set("topK", "integer", value ?? 5)}
              />
              <NumberField
                label={text.knowledge.minScore}
                value={numberOf(params.value("minScore"))}
                min={0}
                max={1}
                step={0.05}
                isDisabled={edit.isReadOnly}
                onChange={(value) => params.set("minScore", "float", value ?? 0)}
              />
            </div>
            {SWITCHES.map((name) => (
              <Switch
                key={name}
                label={text.knowledge.switches[name]}
                isOn={isTrue(params.value(name))}
                isDisabled={edit.isReadOnly}
                onChange={(isOn) => params.set(name, "boolean", isOn)}
              />
            ))}
          </>
        )}
      </div>
    </Section>
  );
}

export const form: NodeForm = {
  types: [RETRIEVE, "27", "60"],
  Form: KnowledgeForm,
  inputs: "fixed",
  outputs: "fixed",
  handlesErrors: true,
};
