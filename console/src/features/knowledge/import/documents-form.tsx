import { useCallback, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Combobox } from "../../../ui/combobox/combobox";
import { MultiCombobox } from "../../../ui/combobox/multi-combobox";
import type { ComboboxOption } from "../../../ui/combobox/options";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { findBases } from "../queries";
import styles from "./forms.module.css";
import { findDocuments, useAllDocuments } from "./queries";
import type { Source } from "./rules";
import { importText } from "./text";

type Props = {
  workspaceId: string;
  /** The base that documents go into. */
  baseId: string;
  kind: number;
  onAdd: (sources: readonly Source[]) => void;
};

/** Documents of another base, which are read once more from what they were made of. */
export function DocumentsForm({ workspaceId, baseId, kind, onAdd }: Props) {
  const { sources: text } = useText(importText);
  const [from, setFrom] = useState<ComboboxOption>();
  const [chosen, setChosen] = useState<readonly ComboboxOption[]>([]);
  const all = useAllDocuments();
  const bases = useCallback(
    async (q: string, signal: AbortSignal) => {
      const found = await findBases(workspaceId, q, signal, kind);
      return found.filter(({ value }) => value !== baseId);
    },
    [workspaceId, baseId, kind],
  );
  const documents = useCallback(
    (q: string, signal: AbortSignal) =>
      from ? findDocuments(from.value, q, signal) : Promise.resolve([]),
    [from],
  );
  function add(options: readonly ComboboxOption[]): void {
    onAdd(options.map(({ value: id, label: name }) => ({ kind: "document", id, name })));
    setChosen([]);
  }
  const failure = failureOf(all.error);
  return (
    <div className={styles.stack}>
      <Combobox
        label={text.base}
        hint={text.baseWhy}
        value={from}
        options={bases}
        onChange={(base) => {
          setFrom(base);
          setChosen([]);
        }}
      />
      {from && (
        <>
          <MultiCombobox
            key={from.value}
            label={text.documents}
            values={chosen}
            options={documents}
            onChange={setChosen}
          />
          <div className={styles.verbs}>
            <Button disabled={chosen.length === 0} onClick={() => add(chosen)}>
              {text.addDocuments(chosen.length)}
            </Button>
            <Button
              kind="quiet"
              isLoading={all.isPending}
              onClick={() => all.mutate(from.value, { onSuccess: add })}
            >
              {text.addAll}
            </Button>
          </div>
        </>
      )}
      {failure && <ErrorLine failure={failure} labels={{ dataset_id: text.base }} />}
    </div>
  );
}
