import { useText } from "../../../../text/catalogue";
import { NumberField } from "../../../../ui/number/number-field";
import { Select } from "../../../../ui/select/select";
import forms from "../forms.module.css";
import { Step } from "../step";
import { importText } from "../text";
import { ColumnList } from "./column-list";
import { KnownColumns } from "./known-columns";
import { firstLine } from "./rules";
import type { TableDraft } from "./use-table-draft";

/** Where in its file the table stands, and what its columns hold. */
export function TableForm({ draft }: { draft: TableDraft }) {
  const { table: text } = useText(importText);
  const { place, sheets, onPlace } = draft;
  const usual = sheets.find((each) => !each.is_hidden) ?? sheets[0];
  return (
    <>
      <Step title={text.title}>
        {sheets.length > 1 && (
          <Select
            label={text.sheet}
            value={String(place.sheet ?? usual?.sheet_id)}
            options={sheets.map((each) => ({
              value: String(each.sheet_id),
              label: each.name,
              hint: text.lines(each.rows),
            }))}
            onChange={(sheet) => onPlace({ sheet: Number(sheet) })}
          />
        )}
        <div className={forms.pair}>
          <NumberField
            label={text.header}
            value={place.header}
            min={1}
            onChange={(header) => header && onPlace({ header })}
          />
          <NumberField
            label={text.first}
            value={firstLine(place)}
            min={place.header + 1}
            onChange={(first) => first && onPlace({ first })}
          />
        </div>
      </Step>
      {draft.known.length > 0 ? <KnownColumns draft={draft} /> : <ColumnList draft={draft} />}
    </>
  );
}
