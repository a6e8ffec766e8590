import { Link } from "@tanstack/react-router";
import { Plus, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import type { AdminAgent, AdminApp, AppVariableFields } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { Select } from "../../../ui/select/select";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import unseen from "../../../ui/unseen.module.css";
import { useDeclare } from "./queries";
import { variablesText } from "./text";
import styles from "./variables.module.css";

/** What the draft of an agent declares; the workbench is where it is edited. */
export function AgentDeclarations({ agent }: { agent: AdminAgent }) {
  const text = useText(variablesText);
  return (
    <>
      {agent.variables.length === 0 ? (
        <p className={styles.note}>{text.none}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{text.columns.name}</th>
              <th scope="col">{text.columns.description}</th>
              <th scope="col">{text.columns.fallback}</th>
              <th scope="col">{text.columns.type}</th>
            </tr>
          </thead>
          <tbody>
            {agent.variables.map((each) => (
              <tr key={each.key}>
                <th scope="row">{each.key}</th>
                <td>{each.description}</td>
                <td>
                  <span className={styles.fallback} title={each.default_value}>
                    {each.default_value}
                  </span>
                </td>
                <td>
                  {[
                    text.types[each.type ?? "KVVariable"],
                    each.is_system && text.system,
                    each.is_disabled && text.off,
                    each.prompt_disabled && text.hidden,
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        <Link
          to="/w/$workspaceId/agents/$agentId"
          params={{ workspaceId: agent.workspace_id, agentId: agent.id }}
          className={styles.link}
        >
          {text.editInWorkbench}
        </Link>
      </p>
    </>
  );
}

type Draft = Required<AppVariableFields> & { place: string };

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const TYPES = ["any", "string", "integer", "float", "boolean", "object", "list"] as const;

/** What the draft of an app declares, to be edited. */
export function AppDeclarations({ app, canWrite }: { app: AdminApp; canWrite: boolean }) {
  const text = useText(variablesText);
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    app.variables.map((each) => ({ ...EMPTY, ...each, place: crypto.randomUUID() })),
  );
  const save = useDeclare(app.id, app.revision);
  const failure = failureOf(save.error);
  const wanted = drafts.map(({ place: _, ...each }) => each);
  const isChanged =
    JSON.stringify(wanted) !== JSON.stringify(app.variables.map((each) => ({ ...EMPTY, ...each })));
  const names = wanted.map((each) => each.key);
  const errorOf = (key: string) => {
    if (!NAME.test(key)) return text.wrongName;
    return names.filter((each) => each === key).length > 1 ? text.twice : undefined;
  };
  function put(place: string, change: Partial<Draft>): void {
    setDrafts(drafts.map((each) => (each.place === place ? { ...each, ...change } : each)));
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(wanted, { onSuccess: () => toast(text.saved) });
  }
  return (
    <Form isChanged={isChanged} isSaving={save.isPending} onSubmit={submit} className={styles.list}>
      {drafts.length === 0 && <p className={styles.note}>{text.none}</p>}
      {drafts.map((each) => (
        <fieldset
          key={each.place}
          disabled={!canWrite || each.channel === "system"}
          className={styles.variable}
        >
          <legend className={unseen.unseen}>{each.key}</legend>
          <TextField
            label={text.columns.name}
            value={each.key}
            error={errorOf(each.key)}
            autoComplete="off"
            spellCheck={false}
            onChange={(key) => put(each.place, { key })}
          />
          <Select
            label={text.columns.type}
            value={each.type}
            options={TYPES.map((value) => ({ value, label: text.types[value] }))}
            onChange={(type) => put(each.place, { type })}
          />
          {canWrite && each.channel !== "system" && (
            <span className={styles.remove}>
              <IconButton
                label={text.remove(each.key)}
                icon={<X size={14} />}
                onClick={() => setDrafts(drafts.filter(({ place }) => place !== each.place))}
              />
            </span>
          )}
          <TextField
            label={text.columns.fallback}
            value={each.default_value}
            onChange={(default_value) => put(each.place, { default_value })}
          />
          <TextField
            label={text.columns.description}
            value={each.description}
            onChange={(description) => put(each.place, { description })}
          />
          <div className={styles.switches}>
            {each.channel === "system" ? (
              <span className={styles.note}>{text.system}</span>
            ) : (
              <Checkbox
                label={text.shared}
                isChecked={each.channel === "app"}
                onChange={(isShared) => put(each.place, { channel: isShared ? "app" : "custom" })}
              />
            )}
            <Checkbox
              label={text.off}
              isChecked={each.is_disabled}
              onChange={(is_disabled) => put(each.place, { is_disabled })}
            />
          </div>
        </fieldset>
      ))}
      {failure && <ErrorLine failure={failure} labels={{ variables: text.title }} />}
      {canWrite && (
        <div className={styles.verbs}>
          <Button
            icon={<Plus size={16} />}
            onClick={() =>
              setDrafts([...drafts, { ...EMPTY, key: free(names), place: crypto.randomUUID() }])
            }
          >
            {text.add}
          </Button>
          <Button
            kind="primary"
            type="submit"
            disabled={!isChanged || names.some((each) => errorOf(each) !== undefined)}
            isLoading={save.isPending}
          >
            {text.save}
          </Button>
        </div>
      )}
    </Form>
  );
}

const EMPTY: Required<AppVariableFields> = {
  key: "",
  description: "",
  default_value: "",
  type: "any",
  channel: "custom",
  is_disabled: false,
};

function free(names: readonly string[]): string {
  let number = 1;
  while (names.includes(`var_${number}`)) number += 1;
  return `var_${number}`;
}
