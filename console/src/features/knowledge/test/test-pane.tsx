import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { type FormEvent, useCallback, useState } from "react";
import { failureOf } from "../../../api/list";
import { FIRST_STRATEGY, type Strategy, strategyOf } from "../../../retrieval/strategy";
import { StrategyForm } from "../../../retrieval/strategy-form";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { MultiCombobox } from "../../../ui/combobox/multi-combobox";
import type { ComboboxOption } from "../../../ui/combobox/options";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { TextArea } from "../../../ui/text-field/text-area";
import { referencesQuery } from "../base/queries";
import { type Base, findBases } from "../queries";
import { keptSettings } from "./kept";
import { agentQuery, type Said, useSearchTest } from "./queries";
import { SaidBefore } from "./said-before";
import styles from "./test-pane.module.css";
import { testText } from "./text";
import { useTrials } from "./trials";
import { TrialsView } from "./trials-view";

const TABLE = 1;
const OWN = "";

type Props = {
  workspaceId: string;
  base: Base;
  /** Whose settings are tried; none: such as are set here. */
  agentId: string | undefined;
  onAgent: (agentId: string | undefined) => void;
};

/** What agents would find in a base, and why. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function TestPane({ workspaceId, base, agentId, onAgent }: Props) {
  const [question, setQuestion] = useState("");
  const { data: agent, isPending } = useQuery({
    ...agentQuery(agentId ?? ""),
    enabled: Boolean(agentId),
  });
  if (agentId && isPending) return null;
  const first = { ...FIRST_STRATEGY, usesSql: base.format_type === TABLE };
  const named = agentId ? agent : undefined;
  return (
    <Trial
      key={named?.id ?? OWN}
      workspaceId={workspaceId}
      base={base}
      agent={named}
      question={question}
      onQuestion={setQuestion}
      onAgent={onAgent}
      first={named ? strategyOf(named.knowledge) : keptSettings.read(base.id, first)}
      bases={
        named?.knowledge.dataset_infos.map(({ id, name }) => ({ value: id, label: name })) ?? [
          { value: base.id, label: base.name },
        ]
      }
    />
  );
}

type TrialProps = Omit<Props, "agentId"> & {
  agent: { id: string; name: string } | undefined;
  question: string;
  onQuestion: (question: string) => void;
  first: Strategy;
  bases: readonly ComboboxOption[];
};

/** Which search is looked at, and which one beside it. */
type Shown = { id: string | undefined; besideId: string | undefined };

function Trial(props: TrialProps) {
  const { workspaceId, base, agent, question, onQuestion, onAgent } = props;
  const text = useText(testText);
  const { data: references } = useQuery(referencesQuery(base.id));
  const [bases, setBases] = useState(props.bases);
  const [first, setFirst] = useState(props.first);
  const [second, setSecond] = useState<Strategy>();
  const [said, setSaid] = useState<readonly Said[]>([]);
  const { trials, keep } = useTrials(base.id);
  const [shown, setShown] = useState<Shown>({ id: undefined, besideId: undefined });
  const { mutate, isPending, error } = useSearchTest();
  const find = useCallback(
    (q: string, signal: AbortSignal) => findBases(workspaceId, q, signal),
    [workspaceId],
  );
  const failure = failureOf(error);
  const users = references?.items.filter((each) => each.agent_id !== agent?.id) ?? [];
  const presets = [...(agent ? [{ agent_id: agent.id, name: agent.name }] : []), ...users];
  const isReady = question.trim() !== "" && bases.length > 0;
  function ask(event: FormEvent): void {
    event.preventDefault();
    if (!isReady) return;
    // Settings of an agent are kept with the agent.
    if (!agent) keptSettings.write(base.id, first);
    mutate(
      {
        question: question.trim(),
        said,
        bases: bases.map((each) => each.value),
        strategies: second ? [first, second] : [first],
      },
      {
        onSuccess: (tried) => {
          keep(...tried);
          const [one, other] = tried;
          setShown({ id: one?.id, besideId: other?.id });
        },
      },
    );
  }
  return (
    <div className={styles.panes}>
      <form aria-label={text.settings} className={styles.form} onSubmit={ask}>
        <TextArea
          label={text.question}
          value={question}
          rows={3}
          maxLength={4000}
          onChange={onQuestion}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing)
              ask(event);
          }}
        />
        <SaidBefore said={said} onChange={setSaid} />
        <div>
          <Button
            kind="primary"
            type="submit"
            icon={<Search size={16} />}
            disabled={!isReady}
            isLoading={isPending}
          >
            {text.search}
          </Button>
        </div>
        <MultiCombobox label={text.bases} values={bases} options={find} onChange={setBases} />
        {presets.length > 0 && (
          <Select
            label={text.preset}
            value={agent?.id ?? OWN}
            options={[
              { value: OWN, label: text.own },
              ...presets.map((each) => ({
                value: each.agent_id,
                label: text.ofAgent(each.name),
              })),
            ]}
            onChange={(next) => onAgent(next || undefined)}
          />
        )}
        <div className={styles.settings}>
          <StrategyForm
            name={second ? text.side.a : undefined}
            strategy={first}
            onChange={(change) => setFirst({ ...first, ...change })}
          />
        </div>
        <Switch
          label={text.compare}
          hint={text.compareHint}
          isOn={second !== undefined}
          onChange={(isOn) => setSecond(isOn ? first : undefined)}
        />
        {second && (
          <div className={styles.settings}>
            <StrategyForm
              name={text.side.b}
              strategy={second}
              onChange={(change) => setSecond({ ...second, ...change })}
            />
          </div>
        )}
      </form>
      <section aria-label={text.results} className={styles.results}>
        {failure && <ErrorState failure={failure} />}
        {!failure && trials.length === 0 && <p className={styles.intro}>{text.intro}</p>}
        {!failure && (
          <TrialsView
            workspaceId={workspaceId}
            trials={trials}
            id={shown.id}
            besideId={shown.besideId}
            onShow={setShown}
          />
        )}
      </section>
    </div>
  );
}
