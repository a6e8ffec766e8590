import { useText } from "../../../text/catalogue";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { isTrue, textOf } from "../../document/read";
import { field } from "../../model/field";
import type { Placed } from "../../model/graph";
import { EMITTER, EXIT } from "../../model/kind";
import { canvasText } from "../../text";
import { useEdit } from "../edit";
import { literalInput } from "../input";
import { InputRows, Section } from "../input-rows";
import { OutputRows } from "../output-rows";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";
import { TemplateField } from "../template-field";

const CONTENT = ["data", "inputs", "content"];
const PLANS = ["returnVariables", "useAnswerContent"] as const;
const HISTORY = ["data", "inputs", "chatHistoryWriting"];
const WRITES = "historyWrite";
const CHAT = ["USER_INPUT", "CONVERSATION_NAME"];

function EndForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  if (node.type === "1") {
    return <OutputRows node={node} title={text.form.workflowInputs} isEntry locked={CHAT} />;
  }
  const isExit = node.type === EXIT;
  const plan = isExit ? textOf(edit.at(["data", "inputs", "terminatePlan"])) : "useAnswerContent";
  const isAnswer = plan === "useAnswerContent";
  return (
    <>
      {isExit && (
        <Section title={text.exit.plan} path={["data", "inputs", "terminatePlan"]}>
          <Select
            label={text.exit.plan}
            isLabelHidden
            value={isAnswer ? PLANS[1] : PLANS[0]}
            isDisabled={edit.isReadOnly}
            options={PLANS.map((value) => ({ value, label: text.exit.plans[value] }))}
            onChange={(value) => edit.set(["data", "inputs", "terminatePlan"], value)}
          />
        </Section>
      )}
      <InputRows
        node={node}
        title={isAnswer ? text.form.inputs : text.exit.variables}
        isGiven={!isAnswer}
      />
      {isAnswer && (
        <Section title={isExit ? text.exit.answer : text.exit.message}>
          <div className={styles.stack}>
            <TemplateField
              node={node}
              label={text.exit.text}
              path={CONTENT}
              value={textOf(edit.at([...CONTENT, "value", "content"]))}
              isDisabled={edit.isReadOnly}
              onChange={(said) =>
                edit.at([...CONTENT, "value", "content"])
                  ? edit.set([...CONTENT, "value", "content"], said)
                  : edit.set(CONTENT, literalInput(field("", "string"), said))
              }
            />
            <Switch
              label={text.exit.streams}
              hint={text.exit.streamsWhy}
              isOn={isTrue(edit.at(["data", "inputs", "streamingOutput"]))}
              isDisabled={edit.isReadOnly}
              onChange={(isOn) => edit.set(["data", "inputs", "streamingOutput"], isOn)}
            />
            {!isExit && (
              <Switch
                label={text.exit.history}
                hint={text.exit.historyWhy}
                isOn={["", WRITES].includes(textOf(edit.at(HISTORY)))}
                isDisabled={edit.isReadOnly}
                onChange={(isOn) => edit.set(HISTORY, isOn ? WRITES : "historyNotWrite")}
              />
            )}
          </div>
        </Section>
      )}
    </>
  );
}

export const form: NodeForm = {
  types: ["1", EXIT, EMITTER],
  Form: EndForm,
  inputs: "none",
  outputs: "none",
};
