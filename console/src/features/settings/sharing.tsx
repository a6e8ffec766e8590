import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../api/list";
import type { GrantLevel } from "../../api/schema";
import { findMembers, useGroups } from "../../groups/queries";
import type { Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { PageBody } from "../../ui/page/page";
import { Section } from "../../ui/page/section";
import { Select } from "../../ui/select/select";
import { toast } from "../../ui/toast/toasts";
import { findThings, type Grant, grantsQuery, useGive, useTake } from "./grant-queries";
import { useMembers } from "./queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";

const KINDS = ["agent", "workflow", "dataset", "database", "plugin", "prompt"] as const;
type Kind = (typeof KINDS)[number];
const LEVELS = ["view", "use", "edit", "publish", "manage"] as const;

/** Single things that people and groups were given, besides what their roles let them do. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Sharing({ workspace }: { workspace: Workspace }) {
  const { sharing: text } = useText(settingsText);
  const [kind, setKind] = useState<Kind>("agent");
  const [thing, setThing] = useState<ComboboxOption>();
  return (
    <PageBody>
      <div className={styles.column}>
        <Section title={text.thing} note={text.thingHint}>
          <div className={fields.pair}>
            <Select
              label={text.kind}
              value={kind}
              options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
              onChange={(next) => {
                setKind(next);
                setThing(undefined);
              }}
            />
            <Combobox
              key={kind}
              label={text.name}
              value={thing}
              placeholder={text.choose}
              options={(query, signal) => findThings(workspace.id, kind, query, signal)}
              onChange={setThing}
            />
          </div>
        </Section>
        {thing && (
          <Section title={text.granted} note={text.grantedHint}>
            <Grants key={thing.value} workspace={workspace} kind={kind} id={thing.value} />
          </Section>
        )}
      </div>
    </PageBody>
  );
}

type GrantsProps = { workspace: Workspace; kind: Kind; id: string };

function Grants({ workspace, kind, id }: GrantsProps) {
  const { sharing: text } = useText(settingsText);
  const { data, error } = useQuery(grantsQuery(kind, id));
  const nameOf = useSubjectNames(workspace.id);
  const give = useGive();
  const take = useTake();
  const failure = failureOf(give.error ?? take.error ?? error);
  return (
    <div className={fields.fields}>
      {data?.items.length === 0 && <p className={styles.note}>{text.nobody}</p>}
      <ul className={styles.people}>
        {data?.items.map((grant) => (
          <li key={grant.id} className={styles.person}>
            <span className={styles.grow}>
              {nameOf(grant)}{" "}
              <span className={styles.note}>{text.subjects[grant.subject_type]}</span>
            </span>
            <div className={styles.level}>
              <Select
                label={text.levelOf(nameOf(grant))}
                isLabelHidden
                value={grant.level}
                options={LEVELS.map((value) => ({ value, label: text.levels[value] }))}
                onChange={(level) =>
                  give.mutate({
                    resource_type: grant.resource_type,
                    resource_id: grant.resource_id,
                    subject_type: grant.subject_type,
                    subject_id: grant.subject_id,
                    level,
                  })
                }
              />
            </div>
            <IconButton
              size="compact"
              label={text.take(nameOf(grant))}
              icon={<X size={14} />}
              onClick={() =>
                take.mutate(grant, { onSuccess: () => toast(text.taken(nameOf(grant))) })
              }
            />
          </li>
        ))}
      </ul>
      {failure && (
        <ErrorLine failure={failure} labels={{ level: text.level, subject_id: text.who }} />
      )}
      <NewGrant workspace={workspace} kind={kind} id={id} give={give} />
    </div>
  );
}

type NewGrantProps = GrantsProps & { give: ReturnType<typeof useGive> };

function NewGrant({ workspace, kind, id, give }: NewGrantProps) {
  const { sharing: text } = useText(settingsText);
  const { rows: groups } = useGroups(workspace.id);
  const [who, setWho] = useState<ComboboxOption>();
  const [level, setLevel] = useState<GrantLevel>("use");
  async function find(query: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> {
    const wanted = query.toLowerCase();
    const people = await findMembers(workspace.id, query, signal);
    return [
      ...groups
        .filter((each) => each.name.toLowerCase().includes(wanted))
        .map((each) => ({
          value: `group:${each.id}`,
          label: each.name,
          note: text.subjects.group,
        })),
      ...people.map((each) => ({ ...each, value: `user:${each.value}` })),
    ];
  }
  function share(): void {
    const [subject_type, subject_id] = who?.value.split(":") ?? [];
    if (!subject_id || (subject_type !== "group" && subject_type !== "user")) return;
    give.mutate(
      { resource_type: kind, resource_id: id, subject_type, subject_id, level },
      { onSuccess: () => setWho(undefined) },
    );
  }
  return (
    <div className={styles.share}>
      <Combobox
        label={text.who}
        value={who}
        placeholder={text.whoHint}
        options={find}
        onChange={setWho}
      />
      <Select
        label={text.level}
        value={level}
        options={LEVELS.map((value) => ({
          value,
          label: text.levels[value],
          hint: text.levelsMay[value],
        }))}
        onChange={setLevel}
      />
      <Button disabled={!who} isLoading={give.isPending} onClick={share}>
        {text.share}
      </Button>
    </div>
  );
}

/** What people and groups are called; by their ids who is not of the workspace. */
function useSubjectNames(workspaceId: string): (grant: Grant) => string {
  const { rows: groups } = useGroups(workspaceId);
  const { rows: members } = useMembers(workspaceId);
  return ({ subject_type, subject_id }) => {
    if (subject_type === "group") {
      return groups.find((each) => each.id === subject_id)?.name ?? subject_id;
    }
    const member = members.find((each) => each.user_id === subject_id);
    return member?.nickname || member?.name || subject_id;
  };
}
