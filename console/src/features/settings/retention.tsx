import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../api/list";
import type { RetentionBody, RetentionItem } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Form } from "../../ui/form/form";
import { NumberField } from "../../ui/number/number-field";
import { Switch } from "../../ui/switch/switch";
import { toast } from "../../ui/toast/toasts";
import { retentionQuery, useSetRetention } from "./queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";

const DAYS = [
  "conversation_days",
  "file_days",
  "log_days",
  "trace_days",
  "trace_content_days",
] as const;
const MOST_DAYS = 3650;

/** How long a workspace keeps things, and whether it must keep everything. */
export function Retention({ workspaceId }: { workspaceId: string }) {
  const { data, error } = useQuery(retentionQuery(workspaceId));
  const failure = failureOf(error);
  if (failure) return <ErrorLine failure={failure} />;
  if (!data) return null;
  return <RetentionForm key={workspaceId} workspaceId={workspaceId} saved={data} />;
}

type Props = { workspaceId: string; saved: RetentionItem };

function RetentionForm({ workspaceId, saved }: Props) {
  const { retention: text } = useText(settingsText);
  const [days, setDays] = useState(() => daysOf(saved));
  const { mutate, isPending, error } = useSetRetention(workspaceId);
  const failure = failureOf(error);
  const isChanged = DAYS.some((each) => days[each] !== daysOf(saved)[each]);
  const keep = (legal_hold: boolean, next: Days, said: string) =>
    mutate({ ...next, legal_hold }, { onSuccess: () => toast(said) });
  return (
    <div className={styles.retention}>
      {saved.legal_hold && <Banner tone="warn">{text.held}</Banner>}
      <Form
        isChanged={isChanged}
        isSaving={isPending}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          keep(saved.legal_hold, days, text.saved);
        }}
      >
        <div className={fields.pair}>
          {DAYS.map((each) => (
            <NumberField
              key={each}
              label={text.fields[each]}
              unit={text.unit}
              placeholder={text.asDeployment}
              min={1}
              max={MOST_DAYS}
              value={days[each] ?? undefined}
              onChange={(value) => setDays({ ...days, [each]: value ?? null })}
            />
          ))}
        </div>
        <p className={styles.note}>{text.hint}</p>
        {failure && <ErrorLine failure={failure} labels={text.fields} />}
        <Button type="submit" disabled={!isChanged} isLoading={isPending}>
          {text.save}
        </Button>
      </Form>
      <Switch
        label={text.hold}
        hint={text.holdHint}
        isOn={saved.legal_hold}
        isDisabled={isPending}
        onChange={(isHeld) => keep(isHeld, daysOf(saved), isHeld ? text.holdOn : text.holdOff)}
      />
    </div>
  );
}

type Days = Pick<Required<RetentionBody>, (typeof DAYS)[number]>;

function daysOf(saved: RetentionItem): Days {
  const { conversation_days, file_days, log_days, trace_days, trace_content_days } = saved;
  return { conversation_days, file_days, log_days, trace_days, trace_content_days };
}
