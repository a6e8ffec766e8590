import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { currentZone } from "../../text/zone";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { NumberField } from "../../ui/number/number-field";
import { Select } from "../../ui/select/select";
import { Switch } from "../../ui/switch/switch";
import { uiText } from "../../ui/text";
import { TextField } from "../../ui/text-field/text-field";
import styles from "./budgets.module.css";
import { type Budget, isNamed, useChangeBudget, useCreateBudget, useThings } from "./queries";
import { usageText } from "./text";

const SUBJECTS = [
  "workspace",
  "agent",
  "member",
  "end_user",
  "share_link",
  "token",
  "app",
] as const;
const UNITS = ["money", "points", "tokens"] as const;
const PERIODS = ["day", "week", "month", "forever"] as const;
const WARNED_AT = 80;

type Props = { workspaceId: string; budget: Budget | undefined; onClose: () => void };

/** What something may use: a new budget, or other limits of one that is there. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function BudgetDialog({ workspaceId, budget, onClose }: Props) {
  const { budgets: text } = useText(usageText);
  const { cancel } = useText(uiText);
  const [name, setName] = useState(budget?.name ?? "");
  const [subject, setSubject] = useState<Budget["subject_type"]>("workspace");
  const [subjectId, setSubjectId] = useState("");
  const [unit, setUnit] = useState<Budget["unit"]>("money");
  const [period, setPeriod] = useState<Budget["period"]>("month");
  const [amount, setAmount] = useState(budget ? Number(budget.amount) : undefined);
  const [warnAt, setWarnAt] = useState<number | undefined>(
    budget ? budget.soft_limits[0] : WARNED_AT,
  );
  const [isHard, setHard] = useState(budget?.is_hard ?? true);
  const create = useCreateBudget(workspaceId);
  const change = useChangeBudget();
  const failure = failureOf(create.error ?? change.error);
  const kind = !budget && isNamed(subject) ? subject : undefined;
  const things = useThings(workspaceId, kind) ?? [];
  const form = useId();
  const isWhole = subject === "workspace" || subjectId !== "" || budget !== undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    const rules = {
      name: name.trim(),
      amount: String(amount),
      soft_limits: warnAt ? [warnAt, ...(budget?.soft_limits.slice(1) ?? [])] : [],
      is_hard: isHard,
    };
    if (budget) change.mutate({ id: budget.id, body: rules }, { onSuccess: onClose });
    else {
      create.mutate(
        {
          ...rules,
          subject_type: subject,
          subject_id: subject === "workspace" ? "" : subjectId,
          unit,
          period,
          zone: currentZone(),
        },
        { onSuccess: onClose },
      );
    }
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={budget ? text.editTitle : text.create}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!amount || !isWhole}
            isLoading={create.isPending || change.isPending}
          >
            {budget ? text.save : text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, subject, subjectId, unit, period, amount, warnAt, isHard]}
        isSaving={create.isPending || change.isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        {!budget && (
          <div className={styles.pair}>
            <Select
              label={text.subject}
              value={subject}
              options={SUBJECTS.map((value) => ({ value, label: text.subjects[value] }))}
              onChange={(value) => {
                setSubject(value);
                setSubjectId("");
              }}
            />
            {kind && (
              <Combobox
                label={text.which}
                value={things.find((each) => each.value === subjectId)}
                options={things}
                onChange={(option) => setSubjectId(option?.value ?? "")}
                isRequired
              />
            )}
            {subject === "end_user" && (
              <TextField
                label={text.which}
                value={subjectId}
                onChange={setSubjectId}
                autoComplete="off"
                required
              />
            )}
          </div>
        )}
        <div className={styles.pair}>
          <NumberField label={text.amount} value={amount} min={0} onChange={setAmount} isRequired />
          <Select
            label={text.unit}
            value={budget?.unit ?? unit}
            options={UNITS.map((value) => ({ value, label: text.unitNames[value] }))}
            isDisabled={budget !== undefined}
            onChange={setUnit}
          />
        </div>
        <div className={styles.pair}>
          {!budget && (
            <Select
              label={text.per}
              value={period}
              options={PERIODS.map((value) => ({ value, label: text.periods[value] }))}
              onChange={setPeriod}
            />
          )}
          <NumberField
            label={text.warnAt}
            hint={text.warnHint}
            value={warnAt}
            min={1}
            max={99}
            unit="%"
            onChange={setWarnAt}
          />
        </div>
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          onChange={setName}
          maxLength={100}
          autoComplete="off"
        />
        <Switch label={text.isHard} hint={text.isHardHint} isOn={isHard} onChange={setHard} />
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              subject_type: text.subject,
              subject_id: text.which,
              amount: text.amount,
              unit: text.unit,
              period: text.per,
              soft_limits: text.warnAt,
              name: text.name,
            }}
          />
        )}
      </Form>
    </Dialog>
  );
}
