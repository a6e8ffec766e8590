import { useQuery } from "@tanstack/react-query";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { Dialog } from "../ui/dialog/dialog";
import fields from "../ui/field/fields.module.css";
import { Command } from "../ui/text-field/command";
import { sampleAgentQuery } from "./queries";
import { tokensText } from "./text";

type Props = {
  token: string;
  workspaceId: string;
  /** An agent that the token is limited to. */
  agentId?: string | undefined;
  isForChat: boolean;
  onClose: () => void;
};

/** A new token, this once, with a line to try it. */
export function TokenShown({ token, workspaceId, agentId, isForChat, onClose }: Props) {
  const { tokens: text } = useText(tokensText);
  const { data } = useQuery(sampleAgentQuery(workspaceId));
  const agent = agentId ?? data?.items[0]?.id ?? text.agentId;
  const command = isForChat
    ? chatLine(token, agent, text.hello)
    : `curl ${location.origin}/admin/v1/workspaces/${workspaceId}/agents ${bearer(token)}`;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      isExplicit
      size="wide"
      title={text.shownTitle}
      description={text.shownWhy}
      actions={
        <Button kind="primary" onClick={onClose}>
          {text.doneVerb}
        </Button>
      }
    >
      <div className={fields.fields}>
        <Command label={text.token} command={token} />
        <Command label={text.tryIt} command={command} />
      </div>
    </Dialog>
  );
}

function bearer(token: string): string {
  return `-H "Authorization: Bearer ${token}"`;
}

function chatLine(token: string, agentId: string, hello: string): string {
  const message = { role: "user", content_type: "text", content: hello };
  const body = { bot_id: agentId, user_id: "me", stream: true, additional_messages: [message] };
  const json = `-H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
  return `curl -N ${location.origin}/v3/chat ${bearer(token)} ${json}`;
}
