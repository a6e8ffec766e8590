import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Copy, RefreshCw, Trash2, Wrench } from "lucide-react";
import { type ReactNode, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { formatNumber } from "../../../text/formats";
import { Button } from "../../../ui/button/button";
import { ConfirmDelete } from "../../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { type Fact, Facts } from "../../../ui/facts/facts";
import { Form } from "../../../ui/form/form";
import { Section } from "../../../ui/page/section";
import { Switch } from "../../../ui/switch/switch";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import { type Base, useDeleteBase } from "../queries";
import { referencesQuery, useCopyBase, useRebuild, useReconcile, useUpdateBase } from "./queries";
import styles from "./settings.module.css";
import { baseText } from "./text";

type Props = { workspaceId: string; base: Base; canWrite: boolean };

/** What a base is called, how its index is kept, and who uses it. */
export function Settings({ workspaceId, base, canWrite }: Props) {
  const { settings: text } = useText(baseText);
  return (
    <div className={styles.column}>
      <Section title={text.general}>
        <General key={base.id} base={base} canWrite={canWrite} />
      </Section>
      <Section title={text.index}>
        <Index base={base} canWrite={canWrite} />
      </Section>
      <Section title={text.used}>
        <Users workspaceId={workspaceId} base={base} />
      </Section>
      {canWrite && (
        <Section title={text.more}>
          <More workspaceId={workspaceId} base={base} />
        </Section>
      )}
    </div>
  );
}

function General({ base, canWrite }: { base: Base; canWrite: boolean }) {
  const { settings: text } = useText(baseText);
  const [name, setName] = useState(base.name);
  const [description, setDescription] = useState(base.description);
  const { mutate, isPending, error } = useUpdateBase(base.id);
  const failure = failureOf(error);
  const isChanged = name.trim() !== base.name || description.trim() !== base.description;
  const saved = { onSuccess: () => toast(text.saved) };
  return (
    <>
      <Form
        isChanged={isChanged}
        isSaving={isPending}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ name: name.trim(), description: description.trim() }, saved);
        }}
      >
        <TextField
          label={text.name}
          value={name}
          onChange={setName}
          maxLength={100}
          autoComplete="off"
          disabled={!canWrite}
          required
        />
        <TextField
          label={text.description}
          hint={text.descriptionHint}
          value={description}
          onChange={setDescription}
          maxLength={2000}
          autoComplete="off"
          disabled={!canWrite}
        />
        {canWrite && (
          <div>
            <Button type="submit" disabled={!isChanged || !name.trim()} isLoading={isPending}>
              {text.save}
            </Button>
          </div>
        )}
      </Form>
      <Switch
        label={text.enabled}
        hint={text.enabledHint}
        isOn={base.enabled}
        isDisabled={!canWrite || isPending}
        onChange={(enabled) => mutate({ enabled })}
      />
      {failure && (
        <ErrorLine failure={failure} labels={{ name: text.name, description: text.description }} />
      )}
    </>
  );
}

function Index({ base, canWrite }: { base: Base; canWrite: boolean }) {
  const { settings: text } = useText(baseText);
  const rebuild = useRebuild(base.id);
  const repair = useReconcile(base.id);
  const failure = failureOf(rebuild.error ?? repair.error);
  const state = base.rebuild?.state;
  const states: Readonly<Record<string, string>> = text.rebuildStates;
  const scale = base.score_scale;
  const facts: readonly Fact[] = [
    [
      text.model,
      <>
        {base.embedding_model || text.noModel}
        {base.embedding_dimensions > 0 && (
          <span className={styles.note}>
            {" "}
            {text.dimensions(formatNumber(base.embedding_dimensions))}
          </span>
        )}
      </>,
    ],
    [
      text.scale,
      scale ? text.scaleOf(scale.low, scale.high, formatNumber(scale.slices)) : text.scaleNone,
    ],
    [text.rebuild, state && (states[state] ?? state)],
  ];
  return (
    <>
      <Facts facts={facts} />
      {canWrite && (
        <>
          <Action
            hint={text.rebuildHint}
            button={
              <Button
                icon={<RefreshCw size={16} />}
                isLoading={rebuild.isPending}
                disabled={!base.embedding_model || state === "building"}
                onClick={() => rebuild.mutate(undefined)}
              >
                {text.rebuild}
              </Button>
            }
          />
          <Action
            hint={text.reconcileHint}
            button={
              <Button
                icon={<Wrench size={16} />}
                isLoading={repair.isPending}
                onClick={() => repair.mutate()}
              >
                {text.reconcile}
              </Button>
            }
          />
        </>
      )}
      {repair.data && <Repaired result={repair.data} />}
      {failure && <ErrorLine failure={failure} />}
    </>
  );
}

type Result = { skipped: boolean; findings: Readonly<Record<string, number>> };

function Repaired({ result }: { result: Result }) {
  const { settings: text } = useText(baseText);
  const found = Object.entries(result.findings).filter(([, count]) => count > 0);
  const said = found.map(([kind, count]) => text.found(kind, formatNumber(count)));
  return (
    <p role="status" className={styles.note}>
      {result.skipped ? text.reconcileSkipped : said.join(" · ") || text.reconciled}
    </p>
  );
}

function Users({ workspaceId, base }: { workspaceId: string; base: Base }) {
  const { settings: text } = useText(baseText);
  const { data } = useQuery(referencesQuery(base.id));
  if (!data) return null;
  if (data.items.length === 0) return <p className={styles.note}>{text.usedByNobody}</p>;
  return (
    <ul className={styles.users}>
      {data.items.map((agent) => (
        <li key={agent.agent_id}>
          <Link
            to="/w/$workspaceId/agents"
            params={{ workspaceId }}
            search={{ q: agent.name }}
            className={styles.user}
          >
            {agent.name}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function More({ workspaceId, base }: { workspaceId: string; base: Base }) {
  const { settings: text } = useText(baseText);
  const navigate = useNavigate();
  const copy = useCopyBase(base.id);
  const remove = useDeleteBase();
  const [isDoomed, setDoomed] = useState(false);
  const failure = failureOf(copy.error);
  const name = text.copyName(base.name);
  return (
    <>
      <Action
        hint={text.copyHint}
        button={
          <Button
            icon={<Copy size={16} />}
            isLoading={copy.isPending}
            onClick={() => copy.mutate(name, { onSuccess: () => toast(text.copying(name)) })}
          >
            {text.copy}
          </Button>
        }
      />
      <Action
        hint={text.removeHint}
        button={
          <Button icon={<Trash2 size={16} />} onClick={() => setDoomed(true)}>
            {text.remove}
          </Button>
        }
      />
      {failure && <ErrorLine failure={failure} />}
      {isDoomed && (
        <ConfirmDelete
          thing={base}
          name={base.name}
          words={text}
          isTyped={base.document_count > 0}
          remove={{
            ...remove,
            mutate: (thing, options) =>
              remove.mutate(thing, {
                onSuccess: () => {
                  options.onSuccess();
                  void navigate({ to: "/w/$workspaceId/knowledge", params: { workspaceId } });
                },
              }),
          }}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(false)}
        />
      )}
    </>
  );
}

function Action({ hint, button }: { hint: string; button: ReactNode }) {
  return (
    <div className={styles.action}>
      {button}
      <p className={styles.note}>{hint}</p>
    </div>
  );
}
