import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import type { CommonValue, CommonValues } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { Select } from "../../../ui/select/select";
import { uiText } from "../../../ui/text";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import type { Plugin } from "../queries";
import styles from "./forms.module.css";
import { useUpdatePlugin } from "./queries";
import { pluginText } from "./text";

const PLACES = ["header", "query", "body"] as const;
type Place = (typeof PLACES)[number];
type Entry = CommonValue & { key: string; place: Place; isStored: boolean };

type Props = { plugin: Plugin; canWrite: boolean };

/** Constants that every call sends; secret ones are written and never shown. */
export function CommonForm({ plugin, canWrite }: Props) {
  const { access: text } = useText(pluginText);
  const ui = useText(uiText);
  const [entries, setEntries] = useState(() => entriesOf(plugin.common_params));
  const save = useUpdatePlugin(plugin.id);
  const failure = failureOf(save.error);
  const isChanged =
    JSON.stringify(valuesOf(entries)) !== JSON.stringify(valuesOf(entriesOf(plugin.common_params)));
  function put(key: string, change: Partial<Entry>): void {
    setEntries(entries.map((each) => (each.key === key ? { ...each, ...change } : each)));
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(
      { common_params: valuesOf(entries) },
      {
        onSuccess: (saved) => {
          setEntries(entriesOf(saved.common_params));
          toast(text.saved);
        },
      },
    );
  }
  return (
    <Form isChanged={isChanged} isSaving={save.isPending} onSubmit={submit} className={styles.form}>
      {entries.length === 0 && <p className={styles.note}>{text.noCommon}</p>}
      {entries.map((entry) => (
        <div key={entry.key} className={styles.entry}>
          <Select
            label={text.place}
            value={entry.place}
            options={PLACES.map((value) => ({ value, label: text.places[value] }))}
            onChange={(place) => put(entry.key, { place })}
            isDisabled={!canWrite}
          />
          <TextField
            label={text.name}
            value={entry.name}
            onChange={(name) => put(entry.key, { name })}
            autoComplete="off"
            disabled={!canWrite}
            required
          />
          <TextField
            label={text.value}
            type={entry.secret ? "password" : "text"}
            value={entry.value}
            onChange={(value) => put(entry.key, { value })}
            placeholder={entry.isStored && entry.secret ? text.unchanged : ""}
            autoComplete="new-password"
            disabled={!canWrite}
          />
          <div className={styles.tail}>
            <Checkbox
              label={text.secret}
              isChecked={entry.secret}
              onChange={(secret) => put(entry.key, { secret, isStored: false })}
            />
            {canWrite && (
              <IconButton
                size="compact"
                label={ui.removeOne(entry.name)}
                icon={<Trash2 size={16} />}
                onClick={() => setEntries(entries.filter((each) => each.key !== entry.key))}
              />
            )}
          </div>
        </div>
      ))}
      {failure && <ErrorLine failure={failure} labels={{ common_params: text.common }} />}
      {canWrite && (
        <div className={styles.line}>
          <Button type="submit" disabled={!isChanged} isLoading={save.isPending}>
            {text.save}
          </Button>
          <Button
            kind="quiet"
            icon={<Plus size={16} />}
            onClick={() => setEntries([...entries, newEntry()])}
          >
            {text.addCommon}
          </Button>
        </div>
      )}
    </Form>
  );
}

function newEntry(): Entry {
  const key = crypto.randomUUID();
  return { key, place: "header", name: "", value: "", secret: false, isStored: false };
}

function entriesOf(values: CommonValues): Entry[] {
  return PLACES.flatMap((place) =>
    (values[place] ?? []).map((each) => ({
      ...each,
      key: `${place} ${each.name}`,
      place,
      isStored: true,
    })),
  );
}

function valuesOf(entries: readonly Entry[]): CommonValues {
  const at = (wanted: Place) =>
    entries
      .filter(({ place }) => place === wanted)
      .map(({ name, value, secret }) => ({ name: name.trim(), value, secret }));
  return { header: at("header"), query: at("query"), body: at("body") };
}
