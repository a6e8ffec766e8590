import { getRouteApi } from "@tanstack/react-router";
import { KeyRound } from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { FilterChip } from "../../ui/chip/filter-chip";
import { ListBody } from "../../ui/list/list-body";
import type { Column } from "../../ui/table/table";
import styles from "./operations.module.css";
import { type Setting, useSettings, wholeList } from "./queries";
import { operationsText } from "./text";

const page = getRouteApi("/shell/operations/{-$tab}");
const SOURCES = ["file", "environment", "command line", "default"] as const;

/** The configuration in effect; it is changed where it comes from. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Settings() {
  const { settings: text } = useText(operationsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const source = SOURCES.find((each) => each === search.source);
  const wanted = (search.q ?? "").toLowerCase();
  const all = wholeList(useSettings());
  const rows = all.rows.filter(
    (row) =>
      (!source || row.source === source) &&
      `${row.name} ${shown(row)}`.toLowerCase().includes(wanted),
  );
  const columns = useColumns();
  function set(next: Partial<typeof search>): void {
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  }
  return (
    <ListBody
      title={text.label}
      search={{
        label: text.search,
        value: search.q ?? "",
        onChange: (value) => set({ q: value || undefined }),
      }}
      filters={
        <FilterChip
          label={text.source}
          value={source}
          options={SOURCES.map((value) => ({ value, label: text.sources[value] }))}
          onChange={(value) => set({ source: value })}
        />
      }
      isNarrowed={Boolean(source || wanted)}
      onClearFilters={() => void navigate({ search: {} })}
      noMatch={{ title: text.noMatch, clear: text.clear }}
      empty={null}
      list={{ ...all, rows, total: rows.length }}
      columns={columns}
      keyOf={(row) => row.name}
    />
  );
}

function shown({ value }: Setting): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function useColumns(): readonly Column<Setting>[] {
  const { settings: text } = useText(operationsText);
  return useMemo(() => {
    const sources: Readonly<Record<string, string>> = text.sources;
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(180px, 1fr)",
        render: (row) => <code>{row.name}</code>,
      },
      {
        key: "value",
        label: text.columns.value,
        width: "minmax(140px, 1fr)",
        render: (row) =>
          row.is_secret ? (
            <span className={styles.secret}>
              <KeyRound size={14} />
              {row.value ? text.isSet : text.isNotSet}
            </span>
          ) : (
            <code title={shown(row)}>{shown(row)}</code>
          ),
      },
      {
        key: "source",
        label: text.columns.source,
        width: "136px",
        leaveOut: "narrow",
        render: (row) => sources[row.source] ?? row.source,
      },
    ];
  }, [text]);
}
