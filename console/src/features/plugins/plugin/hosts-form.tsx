import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { TextArea } from "../../../ui/text-field/text-area";
import { toast } from "../../../ui/toast/toasts";
import styles from "./forms.module.css";
import { hostsQuery, useSetHosts } from "./queries";
import { pluginText } from "./text";

const EXAMPLE = "api.example.com";

/** The hosts that all plugins of the workspace may call. */
export function HostsForm({ workspaceId }: { workspaceId: string }) {
  const { access: text } = useText(pluginText);
  const { data, error } = useQuery(hostsQuery(workspaceId));
  const canWrite = may(useWorkspace(workspaceId), "workspace.write");
  const [words, setWords] = useState<string>();
  const save = useSetHosts(workspaceId);
  const failure = failureOf(error ?? save.error);
  function submit(event: FormEvent): void {
    event.preventDefault();
    const hosts = (words ?? "").split(/[\s,，]+/).filter(Boolean);
    save.mutate(hosts, {
      onSuccess: () => {
        setWords(undefined);
        toast(text.saved);
      },
    });
  }
  return (
    <Form
      isChanged={words !== undefined}
      isSaving={save.isPending}
      onSubmit={submit}
      className={styles.form}
    >
      <TextArea
        label={text.hostNames}
        hint={text.hostNamesHint}
        value={words ?? data?.hosts.join("\n") ?? ""}
        onChange={setWords}
        placeholder={EXAMPLE}
        isShort
        isCode
        spellCheck={false}
        isDisabled={!canWrite}
      />
      {failure && <ErrorLine failure={failure} labels={{ hosts: text.hostNames }} />}
      {canWrite && (
        <div>
          <Button type="submit" disabled={words === undefined} isLoading={save.isPending}>
            {text.save}
          </Button>
        </div>
      )}
    </Form>
  );
}
