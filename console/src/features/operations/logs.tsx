import { getRouteApi } from "@tanstack/react-router";
import { CircleAlert, CircleSlash, ScrollText } from "lucide-react";
import { useMemo, useState } from "react";
import { useRested } from "../../api/list";
import { useText } from "../../text/catalogue";
import { formatExact } from "../../text/formats";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { CopyButton } from "../../ui/copy/copy-button";
import { SideSheet } from "../../ui/dialog/side-sheet";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { Facts } from "../../ui/facts/facts";
import { JsonView } from "../../ui/json-view/json-view";
import { ListBody } from "../../ui/list/list-body";
import { StateBadge } from "../../ui/state-badge/state-badge";
import type { Column } from "../../ui/table/table";
import { Ago } from "../../ui/time/ago";
import styles from "./operations.module.css";
import { type Line, useLines } from "./queries";
import { operationsText } from "./text";

const page = getRouteApi("/shell/operations/{-$tab}");
const LEVELS = ["warning", "error", "critical"] as const;

/** The last warnings and errors of all processes. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Logs() {
  const { logs: text } = useText(operationsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const level = LEVELS.find((each) => each === search.level);
  const list = useLines(level, useRested(search.q));
  const columns = useColumns();
  const [shown, setShown] = useState<Line>();
  function set(next: Partial<typeof search>): void {
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  }
  return (
    <>
      <ListBody
        title={text.label}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) => set({ q: value || undefined }),
        }}
        filters={
          <FilterChip
            label={text.level}
            value={level}
            options={LEVELS.map((value) => ({ value, label: text.levels[value] }))}
            onChange={(value) => set({ level: value })}
          />
        }
        isNarrowed={Boolean(level || search.q)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clear }}
        empty={
          <EmptyState title={text.empty} drawing={<ScrollText size={40} strokeWidth={1} />}>
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(line) => line.id}
        menuWidth="88px"
        menu={(line) => (
          <Button size="compact" kind="quiet" onClick={() => setShown(line)}>
            {text.details}
          </Button>
        )}
        onKey={(key, line) => key === "Enter" && setShown(line)}
      />
      {shown && (
        <SideSheet
          isOpen
          onClose={() => setShown(undefined)}
          size="wide"
          title={text.lineTitle}
          actions={
            shown.log_id && <CopyButton kind="quiet" label={text.copyLogId} value={shown.log_id} />
          }
        >
          <div className={styles.sheet}>
            <p className={styles.message}>{shown.message}</p>
            <Facts
              facts={[
                [text.columns.at, formatExact(shown.at)],
                [text.columns.logger, shown.logger],
                [text.logId, shown.log_id],
                [text.columns.process, `${shown.host}:${shown.pid}`],
              ]}
            />
            {Object.keys(shown.fields).length > 0 && (
              <>
                <h3 className={styles.title}>{text.fields}</h3>
                <Fields fields={shown.fields} />
              </>
            )}
          </div>
        </SideSheet>
      )}
    </>
  );
}

function Fields({ fields }: { fields: Line["fields"] }) {
  const { logs: text } = useText(operationsText);
  const { exception, ...rest } = fields;
  return (
    <>
      {typeof exception === "string" && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <pre className={styles.trace} tabIndex={0}>
          {exception}
        </pre>
      )}
      {Object.keys(rest).length > 0 && <JsonView label={text.fields} value={rest} />}
    </>
  );
}

function useColumns(): readonly Column<Line>[] {
  const { logs: text } = useText(operationsText);
  return useMemo(() => {
    const levels: Readonly<Record<string, string>> = text.levels;
    return [
      {
        key: "level",
        label: text.level,
        width: "104px",
        render: (line) => (
          <StateBadge
            tone={line.level === "warning" ? "warn" : "bad"}
            icon={line.level === "warning" ? <CircleAlert size={14} /> : <CircleSlash size={14} />}
          >
            {levels[line.level] ?? line.level}
          </StateBadge>
        ),
      },
      {
        key: "message",
        label: text.columns.message,
        width: "minmax(180px, 1fr)",
        render: (line) => <span title={line.message}>{line.message}</span>,
      },
      {
        key: "logger",
        label: text.columns.logger,
        width: "minmax(120px, 240px)",
        leaveOut: "medium",
        render: (line) => <code title={line.logger}>{line.logger}</code>,
      },
      {
        key: "at",
        label: text.columns.at,
        width: "104px",
        isNumber: true,
        leaveOut: "narrow",
        render: (line) => <Ago at={line.at} />,
      },
    ];
  }, [text]);
}
