import { useCallback, useState } from "react";
import { findAgents } from "../../agent/queries";
import type { ApiError } from "../../api/errors";
import { useText } from "../../text/catalogue";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { ErrorLine } from "../../ui/error-state/error-line";
import type { Draft, Edits } from "./edits";
import { Section } from "./section";
import { TeamGraph } from "./team-graph";
import { TeamMember } from "./team-member";
import { TeamRouter } from "./team-router";
import { workbenchText } from "./text";

type Props = {
  draft: Draft;
  onEdit: (edits: Edits) => void;
  /** Why the draft was refused, if it was. */
  failure: ApiError | undefined;
};
export type Member = Draft["agents"][number];

/** Other agents that this one works with, and who takes which question. */
export function TeamSection({ draft, onEdit, failure }: Props) {
  const text = useText(workbenchText).team;
  const { agents, router, workspace_id: workspaceId, id } = draft;
  const [chosen, setChosen] = useState<string>();
  const member = agents.find((each) => each.agent_id === chosen);
  const find = useCallback(
    async (q: string, signal: AbortSignal): Promise<readonly ComboboxOption[]> => {
      const taken = new Set([id, ...agents.map((each) => String(each.agent_id))]);
      const found = await findAgents(workspaceId, q, signal, answersItself);
      return found.filter(({ value }) => !taken.has(value));
    },
    [agents, id, workspaceId],
  );
  const isOurs = failure && /^(agents|router)\b/.test(failure.message);
  function set(next: readonly Member[]): void {
    onEdit({ agents: [...next], router: fitting(router, next) });
  }
  return (
    <Section
      part="team"
      title={text.title}
      state={agents.length > 0 ? text.count(agents.length) : text.none}
    >
      {agents.length > 0 && (
        <TeamGraph name={draft.name} members={agents} chosen={chosen} onChoose={setChosen} />
      )}
      {member && (
        <TeamMember
          key={member.agent_id}
          member={member}
          onChange={(change) =>
            set(agents.map((each) => (each === member ? { ...each, ...change } : each)))
          }
          onRemove={() => {
            setChosen(undefined);
            set(agents.filter((each) => each !== member));
          }}
        />
      )}
      {isOurs && (
        <ErrorLine failure={failure} labels={{ agents: text.title, router: text.router }} />
      )}
      <Combobox
        label={text.add}
        hint={text.addHint}
        placeholder={text.addPlaceholder}
        value={undefined}
        options={find}
        onChange={(option) => {
          if (!option) return;
          set([...agents, newMember(option)]);
          setChosen(option.value);
        }}
      />
      {isRouted(agents) && (
        <TeamRouter
          router={router}
          members={agents.filter(({ kind }) => kind !== "delegate")}
          onChange={(change) => onEdit({ router: { ...router, ...change } })}
        />
      )}
    </Section>
  );
}

/** Whether somebody can take a question over. */
function isRouted(members: readonly Member[]): boolean {
  return members.some(({ kind }) => kind !== "delegate");
}

/** The router without those who cannot take a question any more. */
function fitting(router: Draft["router"], members: readonly Member[]): Draft["router"] {
  const able = new Set(
    members.filter(({ kind }) => kind !== "delegate").map(({ agent_id }) => String(agent_id)),
  );
  const rules = (router.rules ?? []).filter(({ agent_id }) => able.has(String(agent_id)));
  if (able.size === 0 || (router.mode === "rules" && rules.length === 0))
    return { mode: "off", rules: [], default_agent_id: null, model_id: null };
  const rest = router.default_agent_id ?? "";
  return { ...router, rules, default_agent_id: able.has(rest) ? rest : null };
}

function newMember({ value, label }: ComboboxOption): Member {
  return {
    agent_id: value,
    kind: "delegate",
    name: "",
    description: "",
    version: "",
    parameters: {},
    agent_name: label,
  };
}

/** Those that workflows answer for work alone. */
function answersItself({ mode }: { mode: string }): boolean {
  return mode !== "workflow";
}
