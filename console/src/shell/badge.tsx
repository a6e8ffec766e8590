import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { client, unwrap } from "../api/client";
import type { AdminHome } from "../api/schema";
import { homeQuery } from "../directory/queries";
import { useText } from "../text/catalogue";
import { formatNumber } from "../text/formats";
import unseen from "../ui/unseen.module.css";
import styles from "./badge.module.css";
import { badgeText } from "./badge-text";

/** The entries of the rail behind which something can wait for the person. */
export type Badged = "home" | "knowledge" | "operations";

type Props = { of: Badged; workspaceId: string };

/** How much waits for the person behind an entry of the rail; nothing where nothing does. */
export function Badge({ of, workspaceId }: Props) {
  return (
    <Suspense>
      {of === "operations" ? <Undelivered /> : <Waiting of={of} workspaceId={workspaceId} />}
    </Suspense>
  );
}

function Waiting({ of, workspaceId }: Props) {
  const text = useText(badgeText);
  const { data } = useQuery(homeQuery(workspaceId));
  const count = data ? countOf(data.waiting, of, Date.now() / 1000) : 0;
  return <Count count={count} says={of === "home" ? text.answers(count) : text.unread(count)} />;
}

function Undelivered() {
  const text = useText(badgeText);
  const { data } = useQuery({
    queryKey: ["admin.dead_letters.list", "count"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/dead-letters", { params: { query: { limit: "1" } }, signal })),
  });
  const count = data?.total ?? 0;
  return <Count count={count} says={text.undelivered(count)} />;
}

function Count({ count, says }: { count: number; says: string }) {
  if (count === 0) return null;
  return (
    <span className={styles.badge} title={says}>
      <span aria-hidden="true">{formatNumber(count)}</span>
      <span className={unseen.unseen}>{says}</span>
    </span>
  );
}

const DAY_S = 86_400;

/** Of what waits: runs that ask something, or documents that could not be read today. */
export function countOf(waiting: AdminHome["waiting"], of: Badged, nowS: number): number {
  return waiting.filter(({ type, at }) =>
    of === "home"
      ? type === "consent" || type === "question"
      : type === "document" && at > nowS - DAY_S,
  ).length;
}
