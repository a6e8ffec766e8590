import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed } from "lucide-react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { StateBadge } from "../../../ui/state-badge/state-badge";
import type { Plugin } from "../queries";
import styles from "./forms.module.css";
import { grantQuery, useRevokeGrant } from "./queries";
import { pluginText } from "./text";

/** Whether the person who looks gave the plugin access to their account, and how to. */
export function Grant({ plugin }: { plugin: Plugin }) {
  const { access: text } = useText(pluginText);
  const { data, error, refetch } = useQuery(grantQuery(plugin.id));
  const revoke = useRevokeGrant(plugin.id);
  const failure = failureOf(error ?? revoke.error);
  if (failure) return <ErrorLine failure={failure} />;
  if (!data) return null;
  return (
    <div className={styles.line}>
      {data.authorized ? (
        <>
          <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
            {text.connected}
          </StateBadge>
          <Button isLoading={revoke.isPending} onClick={() => revoke.mutate()}>
            {text.disconnect}
          </Button>
        </>
      ) : (
        <>
          <StateBadge tone="neutral" icon={<CircleDashed size={14} />}>
            {text.notConnected}
          </StateBadge>
          {data.authorize_url && (
            <a href={data.authorize_url} target="_blank" rel="noreferrer" className={styles.link}>
              {text.connect}
            </a>
          )}
          <Button kind="quiet" onClick={() => void refetch()}>
            {text.lookAgain}
          </Button>
        </>
      )}
    </div>
  );
}
