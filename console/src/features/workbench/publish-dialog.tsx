import { useMutation, useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../api/list";
import type { Finding } from "../../api/schema";
import { reachText } from "../../reach/text";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Unsaved } from "../../ui/form/unsaved";
import { isMadeUpVersion } from "../../ui/state-badge/made-up";
import { TextArea } from "../../ui/text-field/text-area";
import { toldOf } from "./finding";
import { PublishChanges } from "./publish-changes";
import { PublishChannels } from "./publish-channels";
import styles from "./publish-dialog.module.css";
import { loadPublication, publishAgent } from "./queries";
import { Reach } from "./reach";
import { type Part, partOf } from "./section";
import { workbenchText } from "./text";
import { versionsText } from "./versions/text";

type Props = {
  workspaceId: string;
  agentId: string;
  /** Waits until what was edited is what will be published. */
  saved: () => Promise<void>;
  onPublished: () => void;
  /** Leads to the part that a finding is about. */
  onShow: (part: Part) => void;
  onClose: () => void;
};

/** Connector of programs. */
const API = "1024";

/** Checks the draft, shows what clients will notice, publishes it, and shows how it is reached. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PublishDialog(props: Props) {
  const { workspaceId, agentId, saved, onPublished, onShow, onClose } = props;
  const text = useText(workbenchText).publishing;
  // What a part of the dialog waits for would close it: all words are here before it opens.
  useText(versionsText);
  useText(reachText);
  const [note, setNote] = useState("");
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const check = useQuery({
    queryKey: ["admin.agents.validate", agentId],
    queryFn: async () => {
      await saved();
      return loadPublication(agentId);
    },
    staleTime: 0,
    gcTime: 0,
  });
  const { findings = [], draft, connectors = [] } = check.data ?? {};
  const bound = connectors.filter((each) => each.bound && each.allowed).map(({ id }) => id);
  const channels = picked ?? new Set(bound.length > 0 ? bound : [API]);
  const publish = useMutation({
    mutationFn: () => publishAgent(agentId, note.trim(), [...channels]),
    onSuccess: onPublished,
  });
  const errors = findings.filter((each) => each.severity === "error");
  const failure = failureOf(publish.error ?? check.error);
  if (publish.data) {
    return (
      <Dialog
        isOpen
        isForReading
        size="wide"
        onClose={onClose}
        title={text.done(isMadeUpVersion(publish.data.version) ? "" : publish.data.version)}
        description={text.next}
        actions={
          <Button kind="primary" onClick={onClose}>
            {text.close}
          </Button>
        }
      >
        <Reach workspaceId={workspaceId} agentId={agentId} />
      </Dialog>
    );
  }
  return (
    <Dialog
      isOpen
      size="wide"
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            kind="primary"
            disabled={check.isPending || errors.length > 0 || channels.size === 0}
            isLoading={publish.isPending}
            onClick={() => publish.mutate()}
          >
            {text.verb}
          </Button>
        </>
      }
    >
      {check.isPending && <p className={styles.quiet}>{text.checking}</p>}
      {check.data && findings.length === 0 && (
        <p className={styles.fine}>
          <CircleCheck size={16} />
          {text.fine}
        </p>
      )}
      <Findings title={text.errors} findings={errors} isError onShow={onShow} />
      <Findings
        title={text.warnings}
        findings={findings.filter((each) => each.severity !== "error")}
        onShow={onShow}
      />
      {draft && <PublishChanges draft={draft} />}
      {draft && (
        <PublishChannels
          workspaceId={workspaceId}
          agentId={agentId}
          connectors={connectors}
          chosen={channels}
          onChange={setPicked}
        />
      )}
      <TextArea label={text.note} isShort value={note} onChange={setNote} maxLength={800} />
      <Unsaved isUnsaved={note !== "" && !publish.isPending && !publish.data} />
      {failure && <ErrorLine failure={failure} labels={{ description: text.note }} />}
    </Dialog>
  );
}

type FindingsProps = {
  title: string;
  findings: readonly Finding[];
  isError?: boolean;
  onShow: (part: Part) => void;
};

function Findings({ title, findings, isError, onShow }: FindingsProps) {
  const text = useText(workbenchText).publishing;
  if (findings.length === 0) return null;
  return (
    <section className={isError ? styles.errors : styles.warnings}>
      <h3 className={styles.title}>
        {isError ? <CircleAlert size={14} /> : <TriangleAlert size={14} />}
        {title}
      </h3>
      <ul className={styles.findings}>
        {findings.map((each) => {
          const part = partOf(each.field);
          return (
            <li key={`${each.field} ${each.message}`}>
              {toldOf(each, text.told)}
              {part && (
                <button type="button" className={styles.way} onClick={() => onShow(part)}>
                  {text.show}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
