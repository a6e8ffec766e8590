import { useText } from "../../text/catalogue";
import { MultiCombobox } from "../../ui/combobox/multi-combobox";
import { Select } from "../../ui/select/select";
import type { Draft, Edits } from "./edits";
import { Section } from "./section";
import { workbenchText } from "./text";

type Props = { draft: Draft; onEdit: (edits: Edits) => void };

const SYSTEMS = ["append", "replace", "ignore"] as const;
const TOOLS = ["allow", "deny"] as const;
const HOST = /^(\*|[a-z0-9-]+(\.[a-z0-9-]+)+)$/;

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
      <Select
        label={text.system}
        hint={text.systemHint}
        value={SYSTEMS.find((each) => each === draft.openai_system) ?? "append"}
        options={SYSTEMS.map((value) => ({ value, label: text.systems[value] }))}
        onChange={(openai_system) => onEdit({ openai_system })}
      />
      <Select
        label={text.tools}
        hint={text.toolsHint}
        value={TOOLS.find((each) => each === draft.openai_tools) ?? "allow"}
        options={TOOLS.map((value) => ({ value, label: text.toolRules[value] }))}
        onChange={(openai_tools) => onEdit({ openai_tools })}
      />
    </Section>
  );
}
