import { getRouteApi } from "@tanstack/react-router";
import { Download, History, ShieldCheck } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Banner } from "../../ui/banner/banner";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ListBody } from "../../ui/list/list-body";
import type { Column } from "../../ui/table/table";
import { Ago } from "../../ui/time/ago";
import styles from "./administration.module.css";
import {
  type AuditFilter,
  type AuditRow,
  auditFile,
  useAudit,
  useUserNames,
  useVerify,
} from "./queries";
import { administrationText } from "./text";

const Details = lazy(() => import("./details"));
const page = getRouteApi("/shell/admin/{-$tab}");

const TIMES = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
const TIME_NAMES = ["day", "week", "month"] as const;
const RESOURCES = [
  "agent",
  "workflow",
  "dataset",
  "document",
  "plugin",
  "token",
  "service_token",
  "share_link",
  "space",
  "user",
  "session",
  "model",
  "budget",
] as const;

/** Who changed what in the deployment, and whether the record of it holds. */
export function AuditLog() {
  const { audit: text } = useText(administrationText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const [nowS] = useState(() => Math.floor(Date.now() / 1000));
  const names = useUserNames();
  const time = TIME_NAMES.find((each) => each === search.time);
  const resource = RESOURCES.find((each) => each === search.resource);
  const action = useRested(search.q);
  const filter: AuditFilter = {
    ...(action && { action }),
    ...(search.actor && { actor: search.actor }),
    ...(resource && { resource_type: resource }),
    ...(time && { since: String(nowS - TIMES[time]) }),
  };
  const list = useAudit(filter);
  const verify = useVerify();
  const failure = failureOf(verify.error);
  const columns = useColumns(names);
  const [shown, setShown] = useState<AuditRow>();
  function set(next: Partial<typeof search>): void {
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  }
  return (
    <>
      {failure && <ErrorLine failure={failure} />}
      {verify.data && (
        <Banner tone={verify.data.is_intact ? "info" : "warn"}>
          {verify.data.is_intact
            ? text.intact(verify.data.checked)
            : text.broken(verify.data.broken_at ?? "?")}{" "}
          {verify.data.unchained > 0 && text.waiting(verify.data.unchained)}
        </Banner>
      )}
      <ListBody
        title={text.label}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) => set({ q: value || undefined }),
        }}
        filters={
          <>
            <FilterChip
              label={text.since}
              value={time}
              options={TIME_NAMES.map((value) => ({ value, label: text.times[value] }))}
              onChange={(value) => set({ time: value })}
            />
            <FilterChip
              label={text.actor}
              value={search.actor}
              options={[...names].map(([value, label]) => ({ value, label }))}
              onChange={(value) => set({ actor: value })}
            />
            <FilterChip
              label={text.resource}
              value={resource}
              options={RESOURCES.map((value) => ({ value, label: text.resources[value] }))}
              onChange={(value) => set({ resource: value })}
            />
            <span className={styles.aside}>
              <Button
                icon={<ShieldCheck size={16} />}
                isLoading={verify.isPending}
                onClick={() => verify.mutate()}
              >
                {text.verify}
              </Button>
              <Button icon={<Download size={16} />} onClick={() => download(auditFile(filter))}>
                {text.export}
              </Button>
            </span>
          </>
        }
        isNarrowed={Object.keys(filter).length > 0}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clear }}
        empty={
          <EmptyState title={text.empty} drawing={<History size={40} strokeWidth={1} />}>
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(row) => row.id}
        menuWidth="88px"
        menu={(row) => (
          <Button size="compact" kind="quiet" onClick={() => setShown(row)}>
            {text.details}
          </Button>
        )}
        onKey={(key, row) => key === "Enter" && setShown(row)}
      />
      <Suspense>
        {shown && (
          <Details
            row={shown}
            actor={names.get(shown.actor_id)}
            onClose={() => setShown(undefined)}
          />
        )}
      </Suspense>
    </>
  );
}

function useColumns(names: ReadonlyMap<string, string>): readonly Column<AuditRow>[] {
  const { audit: text } = useText(administrationText);
  return useMemo(() => {
    const results: Readonly<Record<string, string>> = text.results;
    return [
      {
        key: "action",
        label: text.columns.action,
        width: "minmax(180px, 1fr)",
        render: (row) => <code>{row.action}</code>,
      },
      {
        key: "actor",
        label: text.columns.actor,
        width: "160px",
        render: (row) =>
          row.actor_id === "0" ? text.system : (names.get(row.actor_id) ?? row.actor_id),
      },
      {
        key: "resource",
        label: text.columns.resource,
        width: "minmax(160px, 1fr)",
        leaveOut: "medium",
        render: (row) => row.resource_name || row.resource,
      },
      {
        key: "result",
        label: text.columns.result,
        width: "96px",
        leaveOut: "narrow",
        render: (row) => results[row.result] ?? row.result,
      },
      {
        key: "at",
        label: text.columns.at,
        width: "104px",
        isNumber: true,
        leaveOut: "narrow",
        render: (row) => <Ago at={row.at} />,
      },
    ];
  }, [text, names]);
}

/** Lets the browser fetch a file that is made while it is read. */
function download(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
