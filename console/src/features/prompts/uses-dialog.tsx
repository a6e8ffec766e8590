import { Link } from "@tanstack/react-router";
import { Bot, Workflow } from "lucide-react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Skeleton } from "../../ui/skeleton/skeleton";
import { type Prompt, useUses } from "./queries";
import { promptsText } from "./text";
import styles from "./uses-dialog.module.css";

type Props = { workspaceId: string; prompt: Prompt; onClose: () => void };

/** Agents and workflows whose drafts have the text of a prompt. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function UsesDialog({ workspaceId, prompt, onClose }: Props) {
  const { uses: text } = useText(promptsText);
  const { data, error } = useUses(prompt);
  const failure = failureOf(error);
  return (
    <Dialog isOpen isForReading onClose={onClose} title={prompt.name} description={text.why}>
      {failure && <ErrorLine failure={failure} />}
      {!data && !failure && <Skeleton width="100%" height={72} />}
      {data?.items.length === 0 && <p className={styles.none}>{text.none}</p>}
      <ul aria-label={text.title} className={styles.uses}>
        {data?.items.map(({ type, id, name }) => (
          <li key={id}>
            {type === "agent" ? (
              <Link
                to="/w/$workspaceId/agents/$agentId"
                params={{ workspaceId, agentId: id }}
                className={styles.use}
              >
                <Bot size={14} />
                <span className={styles.name}>{name}</span>
                <span className={styles.type}>{text.types.agent}</span>
              </Link>
            ) : (
              <Link
                to="/w/$workspaceId/workflows/$workflowId"
                params={{ workspaceId, workflowId: id }}
                className={styles.use}
              >
                <Workflow size={14} />
                <span className={styles.name}>{name}</span>
                <span className={styles.type}>{text.types.workflow}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
