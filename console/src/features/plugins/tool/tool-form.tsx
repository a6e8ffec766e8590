import { type ReactNode, useId } from "react";
import { useText } from "../../../text/catalogue";
import { exampleOf, type ToolEdit } from "../../../tool/rules";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import type { Failure } from "../../../ui/error-state/failure";
import { JsonView } from "../../../ui/json-view/json-view";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { TextArea } from "../../../ui/text-field/text-area";
import { TextField } from "../../../ui/text-field/text-field";
import type { Tool } from "../plugin/queries";
import { ParameterList } from "./parameter-list";
import { toolText } from "./text";
import styles from "./tool-screen.module.css";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
const MEDIA = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/octet-stream",
] as const;
const EFFECTS = ["read", "external_write", "irreversible"] as const;
const POLICIES = ["declared", "raw", "strict"] as const;

type Props = {
  kind: string;
  tool: Tool;
  edit: ToolEdit;
  canWrite: boolean;
  failure: Failure | undefined;
  onEdit: (change: Partial<ToolEdit>) => void;
};

/** All of a tool that a person can change. */
export function ToolForm({ kind, tool, edit, canWrite, failure, onEdit }: Props) {
  const text = useText(toolText);
  const isHttp = kind === "http";
  const isDisabled = !canWrite;
  const example = exampleOf(tool, edit);
  return (
    <div className={styles.form}>
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{
            name: text.name,
            description: text.description,
            method: text.method,
            path: text.path,
          }}
        />
      )}
      <Part title={text.model}>
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={edit.name}
          onChange={(name) => onEdit({ name })}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
          disabled={isDisabled}
          required
        />
        <TextArea
          label={text.description}
          hint={text.descriptionHint}
          value={edit.description}
          onChange={(description) => onEdit({ description })}
          maxLength={2000}
          isDisabled={isDisabled}
        />
      </Part>
      {isHttp && (
        <Part title={text.request}>
          <div className={styles.request}>
            <Select
              label={text.method}
              value={METHODS.find((each) => each === edit.method)}
              options={METHODS.map((value) => ({ value, label: value }))}
              onChange={(method) => onEdit({ method })}
              isDisabled={isDisabled}
            />
            <TextField
              label={text.path}
              value={edit.path}
              onChange={(path) => onEdit({ path })}
              autoComplete="off"
              spellCheck={false}
              disabled={isDisabled}
              required
            />
          </div>
          {edit.method !== "GET" && edit.method !== "HEAD" && (
            <Select
              label={text.media}
              value={edit.body_media}
              options={MEDIA.map((value) => ({ value, label: text.medias[value] }))}
              onChange={(body_media) => onEdit({ body_media })}
              isDisabled={isDisabled}
            />
          )}
        </Part>
      )}
      <Part title={text.parameters}>
        {kind === "mcp" || kind === "workflow" ? (
          <>
            <p className={styles.note}>{text.parametersElsewhere}</p>
            <JsonView label={text.parameters} value={tool.input_schema} />
          </>
        ) : (
          <ParameterList
            parameters={edit.parameters}
            isInput
            isDisabled={isDisabled}
            onChange={(parameters) => onEdit({ parameters })}
          />
        )}
      </Part>
      {isHttp && (
        <Part title={text.answer}>
          <Select
            label={text.policy}
            hint={text.policyHints[edit.response_policy]}
            value={edit.response_policy}
            options={POLICIES.map((value) => ({ value, label: text.policies[value] }))}
            onChange={(response_policy) => onEdit({ response_policy })}
            isDisabled={isDisabled}
          />
          {edit.response_policy !== "raw" && (
            <ParameterList
              parameters={edit.responses}
              isDisabled={isDisabled}
              onChange={(responses) => onEdit({ responses })}
            />
          )}
        </Part>
      )}
      {example !== null && (
        <Part title={text.example}>
          <p className={styles.note}>{text.exampleWhy}</p>
          <JsonView label={text.example} value={example} />
          {canWrite && (
            <div>
              <Button size="compact" onClick={() => onEdit({ example: null })}>
                {text.removeExample}
              </Button>
            </div>
          )}
        </Part>
      )}
      <Part title={text.rules}>
        <Select
          label={text.effect}
          value={edit.effect}
          options={EFFECTS.map((value) => ({ value, label: text.effects[value] }))}
          onChange={(effect) => onEdit({ effect })}
          isDisabled={isDisabled}
        />
        <Switch
          label={text.approval}
          hint={text.approvalHint}
          isOn={edit.needs_approval}
          isDisabled={isDisabled}
          onChange={(needs_approval) => onEdit({ needs_approval })}
        />
        <Switch
          label={text.direct}
          hint={text.directHint}
          isOn={edit.returns_directly}
          isDisabled={isDisabled}
          onChange={(returns_directly) => onEdit({ returns_directly })}
        />
        <Switch
          label={text.enabled}
          hint={text.enabledHint}
          isOn={!edit.disabled}
          isDisabled={isDisabled}
          onChange={(isOn) => onEdit({ disabled: !isOn })}
        />
      </Part>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.part}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}
