import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Pin, Trash2, Users } from "lucide-react";
import { useState } from "react";
import { client, done, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { Switch } from "../../ui/switch/switch";
import { TextField } from "../../ui/text-field/text-field";
import { Section } from "../forms/input-rows";
import rows from "../forms/rows.module.css";
import { canvasText } from "../text";
import type { Mocks } from "./mocks";
import { type Draft, draftFrom } from "./run-form";
import styles from "./saved-inputs.module.css";

type Props = {
  workflowId: string;
  /** What the form holds now, as a run would take it; nothing where it does not fit. */
  inputs: Readonly<Record<string, unknown>> | undefined;
  /** Outputs that stand for nodes, which are kept along. */
  mocks: Mocks;
  canWrite: boolean;
  onTake: (kept: { draft: Draft; mocks: Mocks }) => void;
};

/** Inputs under a name: one's own and those that others share. */
export function SavedInputs({ workflowId, inputs, mocks, canWrite, onTake }: Props) {
  const { saved: text } = useText(canvasText).run;
  const key = ["admin.workflows.list_test_inputs", workflowId];
  const path = { workflow_id: workflowId };
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: key });
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/workflows/{workflow_id}/test-inputs", { params: { path }, signal }),
      ),
  });
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        client.POST("/admin/v1/workflows/{workflow_id}/test-inputs", {
          params: { path },
          body: {
            name: name.trim(),
            is_shared: isShared,
            inputs: { ...inputs },
            mocks: plain(mocks),
          },
        }),
      ),
    onSuccess: () => {
      setName("");
      return refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (id: string) =>
      done(
        client.DELETE("/admin/v1/workflows/{workflow_id}/test-inputs/{test_input_id}", {
          params: { path: { ...path, test_input_id: id } },
        }),
      ),
    onSuccess: refresh,
  });
  const failure = failureOf(save.error ?? remove.error ?? query.error);
  const items = query.data?.items ?? [];
  if (items.length === 0 && !canWrite) return null;
  return (
    <Section title={text.title}>
      <div className={rows.stack}>
        {items.length > 0 && (
          <ul className={styles.list} aria-label={text.title}>
            {items.map((each) => (
              <li key={each.id} className={styles.item}>
                <button
                  type="button"
                  className={styles.take}
                  onClick={() =>
                    onTake({
                      draft: draftFrom(each.inputs),
                      mocks: new Map(Object.entries(each.mocks)),
                    })
                  }
                >
                  <span className={styles.name}>{each.name}</span>
                  {Object.keys(each.mocks).length > 0 && (
                    <span className={styles.shared}>
                      <Pin size={12} />
                      {Object.keys(each.mocks).length}
                    </span>
                  )}
                  {each.is_shared && (
                    <span className={styles.shared}>
                      <Users size={12} />
                      {each.is_own ? text.shared : each.creator.name}
                    </span>
                  )}
                </button>
                {canWrite && (
                  <IconButton
                    size="compact"
                    label={text.remove(each.name)}
                    icon={<Trash2 size={14} />}
                    onClick={() => remove.mutate(each.id)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {canWrite && (
          <Form
            entered={name}
            isSaving={save.isPending}
            className={styles.save}
            onSubmit={(event) => {
              event.preventDefault();
              if (inputs && name.trim() !== "") save.mutate();
            }}
          >
            <TextField label={text.name} value={name} onChange={setName} />
            <Button
              type="submit"
              isLoading={save.isPending}
              disabled={!inputs || name.trim() === ""}
            >
              {text.keep}
            </Button>
          </Form>
        )}
        {name !== "" && <Switch label={text.share} isOn={isShared} onChange={setShared} />}
        {failure && <ErrorLine failure={failure} labels={{ name: text.name }} />}
      </div>
    </Section>
  );
}

function plain(mocks: Mocks): Record<string, Record<string, unknown>> {
  return Object.fromEntries([...mocks].map(([id, outputs]) => [id, { ...outputs }]));
}
