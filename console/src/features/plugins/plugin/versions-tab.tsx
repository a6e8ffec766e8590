import { useQuery } from "@tanstack/react-query";
import { useMemberNames } from "../../../api/members";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Section } from "../../../ui/page/section";
import { Ago } from "../../../ui/time/ago";
import type { Plugin } from "../queries";
import { ChangeList } from "./change-list";
import styles from "./forms.module.css";
import { changesQuery, useVersions } from "./queries";
import { pluginText } from "./text";

type Props = { workspaceId: string; plugin: Plugin };

/** What publishing would change, and what was published before. */
export function VersionsTab({ workspaceId, plugin }: Props) {
  const { versions: text } = useText(pluginText);
  const changes = useQuery(changesQuery(plugin.id)).data;
  const list = useVersions(plugin.id);
  const nameOf = useMemberNames(workspaceId);
  return (
    <>
      <Section title={text.draft}>{changes && <ChangeList changes={changes.items} />}</Section>
      <Section title={text.title}>
        {list.failure && <ErrorState failure={list.failure} onRetry={list.retry} />}
        {!list.isPending && list.total === 0 && <p className={styles.note}>{text.none}</p>}
        <ol className={styles.versions}>
          {list.rows.map((version) => (
            <li key={version.version_name} className={styles.version}>
              <span className={styles.label}>{version.version_name}</span>
              <span>{version.version_desc || text.toolCount(version.tool_count)}</span>
              <span className={styles.note}>
                {nameOf(version.creator_id)} <Ago at={version.created_at} />
              </span>
            </li>
          ))}
        </ol>
        {list.hasMore && (
          <div>
            <Button onClick={list.loadMore}>{text.more}</Button>
          </div>
        )}
      </Section>
    </>
  );
}
