import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleOff, CircleX, TriangleAlert } from "lucide-react";
import { failureOf } from "../../api/list";
import type { ChannelItem } from "../../api/schema";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { StateBadge } from "../../ui/state-badge/state-badge";
import styles from "./publish-dialog.module.css";
import { testChannel, useMessageChannels } from "./queries";
import { workbenchText } from "./text";

type Props = {
  workspaceId: string;
  agentId: string;
  /** Whether the version will answer where channels ask. */
  isReached: boolean;
};

/** Feishu, WeCom and Slack: where the agent answers there, whether it does, and a test of each. */
export function MessageChannels({ workspaceId, agentId, isReached }: Props) {
  const text = useText(workbenchText).publishing;
  const isAdmin = may(useWorkspace(workspaceId), "workspace.write");
  const channels = useMessageChannels(workspaceId, agentId, isAdmin);
  if (!channels) return null;
  if (channels.length === 0) return <p className={styles.state}>{text.noMessages}</p>;
  return (
    <ul className={styles.messages} aria-label={text.messages}>
      {channels.map((channel) => (
        <Channel key={channel.id} channel={channel} isReached={isReached} />
      ))}
    </ul>
  );
}

function Channel({ channel, isReached }: { channel: ChannelItem; isReached: boolean }) {
  const text = useText(workbenchText).publishing;
  const test = useMutation({ mutationFn: () => testChannel(channel.id) });
  const platforms: Readonly<Record<string, string>> = text.platforms;
  const platform = platforms[channel.platform] ?? channel.platform;
  const name = channel.settings.name;
  const problem = failureOf(test.error)?.message ?? test.data?.problem;
  return (
    <li className={styles.message}>
      <div className={styles.channel}>
        <span className={styles.messageName}>{name ? `${platform} · ${name}` : platform}</span>
        <State isOn={channel.settings.is_enabled ?? true} isReached={isReached} />
        <Button
          size="compact"
          aria-label={text.testOf(name || platform)}
          isLoading={test.isPending}
          onClick={() => test.mutate()}
        >
          {text.test}
        </Button>
      </div>
      {problem ? (
        <p role="alert" className={styles.bad}>
          <CircleX size={14} />
          {problem}
        </p>
      ) : (
        test.data && (
          <p role="status" className={styles.fine}>
            <CircleCheck size={14} />
            {text.knownAs(test.data.bot_name || test.data.bot_id)}
          </p>
        )
      )}
    </li>
  );
}

function State({ isOn, isReached }: { isOn: boolean; isReached: boolean }) {
  const text = useText(workbenchText).publishing;
  if (!isOn)
    return (
      <StateBadge tone="neutral" icon={<CircleOff size={14} />}>
        {text.off}
      </StateBadge>
    );
  return isReached ? (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {text.on}
    </StateBadge>
  ) : (
    <StateBadge tone="warn" icon={<TriangleAlert size={14} />}>
      {text.unreached}
    </StateBadge>
  );
}
