import { Search } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Switch } from "../../../ui/switch/switch";
import { TextArea } from "../../../ui/text-field/text-area";
import type { Base } from "../queries";
import { FIRST_STRATEGY, useSearchTest } from "./queries";
import { Results } from "./results";
import { StrategyForm } from "./strategy-form";
import styles from "./test-pane.module.css";
import { testText } from "./text";

const TABLE = 1;

type Props = { workspaceId: string; base: Base };

/** What agents would find in a base, and why. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function TestPane({ workspaceId, base }: Props) {
  const text = useText(testText);
  const [question, setQuestion] = useState("");
  const [first, setFirst] = useState({ ...FIRST_STRATEGY, usesSql: base.format_type === TABLE });
  const [second, setSecond] = useState<typeof first>();
  const { mutate, data, isPending, error } = useSearchTest(base.id);
  const failure = failureOf(error);
  const [found, other] = data ?? [];
  function ask(event: FormEvent): void {
    event.preventDefault();
    const query = question.trim();
    if (query) mutate({ query, strategies: second ? [first, second] : [first] });
  }
  return (
    <div className={styles.panes}>
      <form aria-label={text.settings} className={styles.form} onSubmit={ask}>
        <TextArea
          label={text.question}
          value={question}
          rows={3}
          maxLength={4000}
          onChange={setQuestion}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing)
              ask(event);
          }}
        />
        <div>
          <Button
            kind="primary"
            type="submit"
            icon={<Search size={16} />}
            disabled={!question.trim()}
            isLoading={isPending}
          >
            {text.search}
          </Button>
        </div>
        <StrategyForm
          name={second ? text.side.a : undefined}
          strategy={first}
          hasTables={base.format_type === TABLE}
          onChange={setFirst}
        />
        <Switch
          label={text.compare}
          hint={text.compareHint}
          isOn={second !== undefined}
          onChange={(isOn) => setSecond(isOn ? first : undefined)}
        />
        {second && (
          <StrategyForm
            name={text.side.b}
            strategy={second}
            hasTables={base.format_type === TABLE}
            onChange={setSecond}
          />
        )}
      </form>
      <section aria-label={text.results} className={styles.results}>
        {failure && <ErrorState failure={failure} />}
        {!failure && !found && <p className={styles.intro}>{text.intro}</p>}
        {!failure && found && (
          <div className={styles.sides} data-sides={other ? 2 : 1}>
            <Results
              name={other && text.side.a}
              workspaceId={workspaceId}
              baseId={base.id}
              found={found}
            />
            {other && (
              <Results
                name={text.side.b}
                workspaceId={workspaceId}
                baseId={base.id}
                found={other}
                before={found}
              />
            )}
          </div>
        )}
      </section>
    </div>
  );
}
