import { useText } from "../../text/catalogue";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { Switch } from "../../ui/switch/switch";
import { TextArea } from "../../ui/text-field/text-area";
import type { Draft, Edits } from "./edits";
import { Section } from "./section";
import { workbenchText } from "./text";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };

const FOLLOW_UPS_ON = 0;
const FOLLOW_UPS_OFF = 2;
const HOST = /^(\*|[a-z0-9-]+(\.[a-z0-9-]+)+)$/;

/** What people read first, and what they are offered after an answer. */
export function OpeningSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).opening;
  const { onboarding, suggest_reply } = draft;
  const asked = onboarding.suggested_questions ?? [];
  return (
    <Section part="opening" title={text.title} state={onboarding.prologue ? text.set : text.none}>
      <TextArea
        label={text.welcome}
        isShort
        value={onboarding.prologue ?? ""}
        onChange={(prologue) => onEdit({ onboarding: { prologue } })}
      />
      <MultiCombobox
        label={text.questions}
        hint={text.questionsHint}
        values={asked.map((each) => ({ value: each, label: each }))}
        options={[]}
        onCreate={(typed) => ({ value: typed, label: typed })}
        onChange={(next) =>
          onEdit({ onboarding: { suggested_questions: next.map((each) => each.value) } })
        }
      />
      <Switch
        label={text.followUps}
        hint={text.followUpsHint}
        isOn={suggest_reply.mode !== FOLLOW_UPS_OFF}
        onChange={(isOn) =>
          onEdit({ suggest_reply: { mode: isOn ? FOLLOW_UPS_ON : FOLLOW_UPS_OFF } })
        }
      />
    </Section>
  );
}

/** Where the agent may reach, and what answers may show. */
export function BoundariesSection({ draft, onEdit }: Props) {
  const text = useText(workbenchText).boundaries;
  const { egress_hosts, link_hosts } = draft;
  const asHost = (typed: string) => {
    const host = typed.toLowerCase();
    return HOST.test(host) ? { value: host, label: host } : undefined;
  };
  return (
    <Section
      part="boundaries"
      title={text.title}
      state={egress_hosts.length > 0 ? text.limited(egress_hosts.length) : text.free}
    >
      <MultiCombobox
        label={text.egress}
        hint={text.egressHint}
        placeholder={text.noHost}
        values={egress_hosts.map((host) => ({ value: host, label: host }))}
        options={[]}
        onCreate={asHost}
        onChange={(next) => onEdit({ egress_hosts: next.map((each) => each.value) })}
      />
      <MultiCombobox
        label={text.links}
        hint={text.linksHint}
        placeholder={text.noHost}
        values={link_hosts.map((host) => ({ value: host, label: host }))}
        options={[]}
        onCreate={asHost}
        onChange={(next) => onEdit({ link_hosts: next.map((each) => each.value) })}
      />
    </Section>
  );
}
