import { type FormEvent, useId, useState } from "react";
import { findAgents } from "../agent/queries";
import { failureOf } from "../api/list";
import type { RateClass } from "../api/schema";
import type { Permission, Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { MultiCombobox } from "../ui/combobox/multi-combobox";
import type { ComboboxOption } from "../ui/combobox/options";
import { Dialog } from "../ui/dialog/dialog";
import { ErrorLine } from "../ui/error-state/error-line";
import fields from "../ui/field/fields.module.css";
import { Form } from "../ui/form/form";
import { RadioCards } from "../ui/radio-cards/radio-cards";
import { Select } from "../ui/select/select";
import { uiText } from "../ui/text";
import { TextField } from "../ui/text-field/text-field";
import { useCreateServiceToken, useCreateToken } from "./queries";
import { ScopeList } from "./scope-list";
import { type Preset, presetOf, scopesOf } from "./scopes";
import { tokensText } from "./text";
import { TokenShown } from "./token-shown";

type Kind = "personal" | "service";
type Props = {
  workspace: Workspace;
  kind: Kind;
  /** Workspaces to choose one of, where it is not made in one. */
  choices?: readonly Workspace[];
  onClose: () => void;
};

const EVERYWHERE = "everywhere";

const EXPIRIES = ["1", "30", "60", "90", "180", "365", "never"] as const;
const PERSONAL: readonly Preset[] = ["chat", "build", "all"];
const SERVICE: readonly Preset[] = ["chat", "build"];
const DAY_S = 86_400;
const RATES = ["default", "low", "standard", "high"] as const;
const DAYS = [1, 30, 60, 90, 180, 365] as const;

/** A token to make: for oneself, or for the workspace. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewToken({ workspace: here, kind, choices, onClose }: Props) {
  const { tokens: text } = useText(tokensText);
  const { cancel } = useText(uiText);
  const isService = kind === "service";
  const [name, setName] = useState("");
  const [reach, setReach] = useState(choices ? EVERYWHERE : here.id);
  const workspace = choices?.find(({ id }) => id === reach) ?? here;
  const mine = permissionsAt(reach === EVERYWHERE ? (choices ?? [here]) : [workspace], isService);
  const [scopes, setScopes] = useState<readonly Permission[] | undefined>(scopesOf("chat", mine));
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number]>("90");
  const [rate, setRate] = useState<RateClass>("default");
  const [agents, setAgents] = useState<readonly ComboboxOption[]>([]);
  const [networks, setNetworks] = useState<readonly ComboboxOption[]>([]);
  const form = useId();
  const { create, made, isPending, error } = useCreate(workspace.id, kind);
  const failure = failureOf(error);
  const preset = presetOf(scopes ? [...scopes] : null, mine);
  if (made) {
    return (
      <TokenShown
        token={made}
        workspaceId={workspace.id}
        agentId={agents[0]?.value}
        isForChat={preset === "chat"}
        onClose={onClose}
      />
    );
  }
  function reachTo(next: string): void {
    const there = choices?.filter(({ id }) => next === EVERYWHERE || id === next);
    const theirs = permissionsAt(there ?? [here], isService);
    setReach(next);
    setAgents([]);
    setScopes(
      preset === "own" ? scopes?.filter((each) => theirs.includes(each)) : scopesOf(preset, theirs),
    );
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    create({
      name: name.trim(),
      scopes,
      days: DAYS.find((each) => String(each) === expiry),
      isEverywhere: reach === EVERYWHERE,
      agentIds: agents.map((each) => each.value),
      networks: networks.map((each) => each.value),
      rate,
    });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={isService ? text.createServiceTitle : text.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!name.trim() || scopes?.length === 0}
            isLoading={isPending}
          >
            {text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, reach, scopes, expiry, rate, agents, networks]}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={fields.fields}
      >
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          onChange={setName}
          maxLength={50}
          autoComplete="off"
          required
          autoFocus
        />
        <RadioCards
          label={text.preset}
          columns={isService ? 2 : 3}
          value={preset}
          options={(isService ? SERVICE : PERSONAL).map((value) => ({
            value,
            label: text.presets[value],
            note: text.presetsMay[value],
          }))}
          onChange={(next) => next !== "own" && setScopes(scopesOf(next, mine))}
        />
        <ScopeList mine={mine} scopes={scopes ?? mine} onChange={setScopes} />
        {(!choices || reach !== EVERYWHERE) && (
          <MultiCombobox
            label={text.agents}
            hint={text.agentsHint}
            placeholder={text.allAgents}
            values={agents}
            options={(query, signal) => findAgents(workspace.id, query, signal)}
            onChange={setAgents}
          />
        )}
        {isService && (
          <MultiCombobox
            label={text.networks}
            hint={text.networksHint}
            values={networks}
            options={[]}
            onCreate={(typed) => ({ value: typed, label: typed })}
            onChange={setNetworks}
          />
        )}
        <div className={fields.pair}>
          <Select
            label={text.expiry}
            value={expiry}
            options={EXPIRIES.map((value) => ({ value, label: text.expiries[value] }))}
            onChange={setExpiry}
          />
          {isService && (
            <Select
              label={text.rate}
              hint={text.ratesHint}
              value={rate}
              options={RATES.map((value) => ({ value, label: text.rates[value] }))}
              onChange={setRate}
            />
          )}
          {!isService && (
            <Select
              label={text.reach}
              value={reach}
              options={[
                { value: EVERYWHERE, label: text.reaches.everywhere },
                ...(choices ?? [{ ...here, name: text.reaches.here }]).map(
                  ({ id, name: label }) => ({
                    value: id,
                    label,
                  }),
                ),
              ]}
              onChange={reachTo}
            />
          )}
        </div>
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              name: text.name,
              permissions: text.preset,
              agent_ids: text.agents,
              bot_ids: text.agents,
              networks: text.networks,
              expires_at: text.expiry,
              duration_days: text.expiry,
              rate_class: text.rate,
              workspace_ids: text.reach,
            }}
          />
        )}
      </Form>
    </Dialog>
  );
}

/** What there is to give in workspaces; a service token never manages tokens. */
function permissionsAt(workspaces: readonly Workspace[], isService: boolean): Permission[] {
  const all = new Set(workspaces.flatMap(({ permissions }) => permissions));
  return [...all].filter((each) => !isService || each !== "admin");
}

type Wanted = {
  name: string;
  scopes: readonly Permission[] | undefined;
  days: (typeof DAYS)[number] | undefined;
  isEverywhere: boolean;
  agentIds: string[];
  networks: string[];
  rate: RateClass;
};

/** Makes a token of either kind; its text afterwards. */
function useCreate(workspaceId: string, kind: Kind) {
  const personal = useCreateToken();
  const service = useCreateServiceToken(workspaceId);
  const { data, isPending, error } = kind === "service" ? service : personal;
  function create(wanted: Wanted): void {
    const { name, days } = wanted;
    const permissions = wanted.scopes && [...wanted.scopes];
    const agents = wanted.agentIds.length > 0 && { bot_ids: wanted.agentIds };
    if (kind === "personal") {
      personal.mutate({
        name,
        ...(days && { duration_days: days }),
        ...(permissions && { permissions }),
        ...(!wanted.isEverywhere && { workspace_ids: [workspaceId] }),
        ...agents,
      });
    } else {
      service.mutate({
        name,
        permissions: permissions ?? [],
        rate_class: wanted.rate,
        expires_at: days ? Math.floor(Date.now() / 1000) + days * DAY_S : null,
        ...(wanted.networks.length > 0 && { networks: wanted.networks }),
        ...agents,
      });
    }
  }
  return { create, made: data?.token, isPending, error };
}
