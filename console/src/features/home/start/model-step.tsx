import { CircleCheck, CircleX } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { formatDuration } from "../../../text/formats";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { Select } from "../../../ui/select/select";
import { TextField } from "../../../ui/text-field/text-field";
import { homeText } from "../text";
import { type ModelForm, type Report, useKinds, useTryModel } from "./queries";
import styles from "./start.module.css";

const USUAL = "openai";
const EMPTY: ModelForm = { kind: USUAL, address: "", key: "", name: "" };

type Props = {
  /** A model is about to be stored: what the test of it says is to be read before the next step. */
  onBegin: () => void;
  onDone: () => void;
};

/** A model is entered, stored and called; one that does not answer is changed and tried again. */
export function ModelStep({ onBegin, onDone }: Props) {
  const text = useText(homeText).start;
  const words = text.model;
  const kinds = useKinds();
  const [form, setForm] = useState(EMPTY);
  const { mutate, data, error, isPending } = useTryModel();
  const isWhole = form.address.trim() !== "" && form.name.trim() !== "";
  function set(key: keyof ModelForm, value: string): void {
    setForm({ ...form, [key]: value });
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isWhole) return;
    onBegin();
    const trimmed = { ...form, address: form.address.trim(), name: form.name.trim() };
    mutate({ form: trimmed, stored: data?.model });
  }
  if (data && !isPending && answers(data.report)) {
    return (
      <div className={styles.form}>
        <Checks report={data.report} />
        <div className={styles.actions}>
          <Button kind="primary" onClick={onDone} autoFocus>
            {text.goOn}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <Form entered={form} isSaving={isPending} onSubmit={submit} className={styles.form}>
      <div className={styles.pair}>
        <Select
          label={words.kind}
          value={form.kind}
          options={(kinds ?? []).map((each) => ({ value: each.class, label: each.name }))}
          onChange={(kind) => set("kind", kind)}
        />
        <TextField
          label={words.name}
          value={form.name}
          onChange={(name) => set("name", name)}
          hint={words.nameHint}
          autoComplete="off"
          spellCheck={false}
          required
        />
      </div>
      <TextField
        label={words.address}
        value={form.address}
        onChange={(address) => set("address", address)}
        hint={words.addressHint}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <TextField
        label={words.key}
        value={form.key}
        onChange={(key) => set("key", key)}
        hint={words.keyHint}
        type="password"
        autoComplete="off"
      />
      {data && <Checks report={data.report} />}
      {error && (
        <ErrorLine
          failure={failureOf(error) ?? error}
          labels={{
            provider: words.kind,
            "display.name": words.name,
            "connection.model": words.name,
            "connection.base_url": words.address,
            "connection.api_key": words.key,
          }}
        />
      )}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" isLoading={isPending} disabled={!isWhole}>
          {data ? words.again : words.test}
        </Button>
        <Button kind="quiet" onClick={onDone}>
          {words.offline}
        </Button>
        <p className={styles.aside}>{words.offlineWhy}</p>
      </div>
    </Form>
  );
}

function answers(report: Report): boolean {
  return report.checks.some((check) => check.name === "chat" && check.ok);
}

function Checks({ report }: { report: Report }) {
  const words = useText(homeText).start.model;
  const failed = report.checks.find((check) => check.name === "chat" && !check.ok);
  const timed = report.checks.find((check) => check.first_token_ms);
  return (
    <div role="status" className={styles.report}>
      <b>{failed ? words.fails : words.works}</b>
      {failed ? (
        <span className={styles.detail}>{failed.detail}</span>
      ) : (
        report.checks.map((check) => (
          <span key={check.name} className={styles.check} data-ok={check.ok || undefined}>
            {check.ok ? <CircleCheck size={14} /> : <CircleX size={14} />}
            {words.checks[check.name]}
          </span>
        ))
      )}
      {!failed && timed?.first_token_ms && (
        <span className={styles.detail}>
          {words.firstToken(formatDuration(timed.first_token_ms))}
        </span>
      )}
    </div>
  );
}
