import { useParams } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { MultiCombobox } from "../../../ui/combobox/multi-combobox";
import { NumberField } from "../../../ui/number/number-field";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { TextField } from "../../../ui/text-field/text-field";
import { isTrue, items, numberOf, textOf } from "../../document/read";
import type { Placed } from "../../model/graph";
import { useBases } from "../../resources";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { Section } from "../input-rows";
import { paramsOf } from "../params";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

const RETRIEVE = "6";
const WRITE = "27";
const PARAMS = ["data", "inputs", "datasetParam"];
const STRATEGIES = ["0", "1", "20"] as const;
const SWITCHES = ["useRewrite", "useRerank", "useNl2sql", "isPersonalOnly"] as const;

function KnowledgeForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const params = paramsOf(edit, PARAMS);
  const { workspaceId = "" } = useParams({ strict: false });
  const { bases } = useBases();
  const known = new Map(bases.map((each) => [each.id, each.name]));
  const chosen = items(params.value("datasetList")).map(textOf);
  const strategy = STRATEGIES.find((each) => each === params.text("strategy")) ?? "1";
  const [first] = chosen;
  return (
    <>
      <Section
        title={text.knowledge.bases}
        path={PARAMS}
        aside={
          node.type === RETRIEVE &&
          first && (
            <a
              className={styles.hint}
              href={`/console/w/${workspaceId}/knowledge/${first}?tab=test`}
              target="_blank"
              rel="noreferrer"
            >
              {text.knowledge.test} <ExternalLink size={12} style={{ display: "inline" }} />
            </a>
          )
        }
      >
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
                // What is written goes into one base: choosing another takes its place.
                (node.type === WRITE ? values.slice(-1) : values).map((each) => each.value),
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
      {node.type === WRITE && <Reading node={node} />}
    </>
  );
}

const READING = ["data", "inputs", "strategyParam"];
const PARSING = [...READING, "parsingStrategy"];
const CUTTING = [...READING, "chunkStrategy"];
const WAITS = [...READING, "indexStrategy", "waitUntilIndexed"];
const PARTS = ["imageExtraction", "tableExtraction", "imageOcr"] as const;

/** How a document is read and cut, as where documents are imported. */
function Reading({ node }: { node: Placed }) {
  const text = useText(canvasText).knowledge;
  const edit = useEdit(node);
  const isFast = textOf(edit.at([...PARSING, "parsingType"])) === "fast";
  const isOwn = textOf(edit.at([...CUTTING, "chunkType"])) === "custom";
  const isDisabled = edit.isReadOnly;
  return (
    <Section title={text.reading} path={READING}>
      <div className={styles.stack}>
        <Select
          label={text.way}
          value={isFast ? "fast" : "accurate"}
          isDisabled={isDisabled}
          options={(["fast", "accurate"] as const).map((value) => ({
            value,
            label: text.ways[value],
          }))}
          onChange={(value) => edit.set([...PARSING, "parsingType"], value)}
        />
        {!isFast &&
          PARTS.map((name) => {
            const said = edit.at([...PARSING, name]);
            return (
              <Switch
                key={name}
                label={text.parts[name]}
                isOn={said ? isTrue(said) : name === "tableExtraction"}
                isDisabled={isDisabled}
                onChange={(isOn) => edit.set([...PARSING, name], isOn)}
              />
            );
          })}
        <Select
          label={text.cutting}
          value={isOwn ? "custom" : "default"}
          isDisabled={isDisabled}
          options={(["default", "custom"] as const).map((value) => ({
            value,
            label: text.cuts[value],
          }))}
          onChange={(value) => edit.set([...CUTTING, "chunkType"], value)}
        />
        {isOwn && (
          <>
            <TextField
              label={text.separator}
              hint={text.separatorHint}
              value={textOf(edit.at([...CUTTING, "separator"])).replaceAll("\n", "\\n")}
              disabled={isDisabled}
              onChange={(said) => edit.set([...CUTTING, "separator"], said.replaceAll("\\n", "\n"))}
            />
            <div className={styles.row}>
              <NumberField
                label={text.sliceTokens}
                value={numberOf(edit.at([...CUTTING, "maxToken"])) ?? 800}
                min={50}
                step={50}
                isDisabled={isDisabled}
                onChange={(value) => edit.set([...CUTTING, "maxToken"], value ?? 800)}
              />
              <NumberField
                label={text.overlap}
                value={numberOf(edit.at([...CUTTING, "overlap"])) ?? 10}
                min={0}
                max={90}
                unit="%"
                isDisabled={isDisabled}
                onChange={(value) => edit.set([...CUTTING, "overlap"], value ?? 10)}
              />
            </div>
          </>
        )}
        <Switch
          label={text.waits}
          hint={text.waitsWhy}
          isOn={isTrue(edit.at(WAITS))}
          isDisabled={isDisabled}
          onChange={(isOn) => edit.set(WAITS, isOn)}
        />
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
