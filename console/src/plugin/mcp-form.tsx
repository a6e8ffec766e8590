import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../api/list";
import { useText } from "../text/catalogue";
import { ErrorLine } from "../ui/error-state/error-line";
import { Form } from "../ui/form/form";
import { Segmented } from "../ui/segmented/segmented";
import { Select } from "../ui/select/select";
import { TextField } from "../ui/text-field/text-field";
import { FormSubmit } from "./form-submit";
import styles from "./forms.module.css";
import { type McpServer, useAddServer, usePrograms } from "./queries";
import { pluginImportText } from "./text";

const TRANSPORTS = ["auto", "streamable_http", "sse"] as const;
const EXAMPLE = "https://mcp.example.com/mcp";
const EMPTY: McpServer = { name: "", address: "", program: "", transport: "auto", token: "" };

type Props = {
  workspaceId: string;
  onMade: (pluginId: string) => void;
  /** The place of the button, in a dialog. */
  buttonIn?: HTMLElement | null;
};

/** An MCP server: where it is, and what it wants to be shown. */
export function McpForm({ workspaceId, onMade, buttonIn }: Props) {
  const { mcp: text } = useText(pluginImportText);
  const form = useId();
  const [server, setServer] = useState(EMPTY);
  const [place, setPlace] = useState<"address" | "program">("address");
  const programs = usePrograms(workspaceId) ?? [];
  const add = useAddServer(workspaceId);
  const failure = failureOf(add.error);
  const isAddress = place === "address";
  const where = isAddress ? server.address : server.program;
  function submit(event: FormEvent): void {
    event.preventDefault();
    const chosen = isAddress ? { program: "" } : { address: "", token: "" };
    add.mutate({ ...server, ...chosen }, { onSuccess: (plugin) => onMade(plugin.id) });
  }
  return (
    <Form
      id={form}
      entered={server}
      isSaving={add.isPending}
      onSubmit={submit}
      className={styles.form}
    >
      <TextField
        label={text.name}
        value={server.name}
        onChange={(name) => setServer({ ...server, name })}
        maxLength={50}
        autoComplete="off"
        required
        autoFocus
      />
      {programs.length > 0 && (
        <Segmented
          label={text.place}
          value={place}
          options={[
            { value: "address", label: text.address },
            { value: "program", label: text.program },
          ]}
          onChange={setPlace}
        />
      )}
      {isAddress ? (
        <>
          <TextField
            label={text.url}
            type="url"
            value={server.address}
            onChange={(address) => setServer({ ...server, address })}
            placeholder={EXAMPLE}
            autoComplete="off"
            required
          />
          <Select
            label={text.transport}
            value={server.transport}
            options={TRANSPORTS.map((value) => ({ value, label: text.transports[value] }))}
            onChange={(transport) => setServer({ ...server, transport })}
          />
          <TextField
            label={text.token}
            hint={text.tokenHint}
            type="password"
            value={server.token}
            onChange={(token) => setServer({ ...server, token })}
            autoComplete="off"
          />
        </>
      ) : (
        <Select
          label={text.programName}
          hint={text.programHint}
          value={server.program || undefined}
          options={programs.map((name) => ({ value: name, label: name }))}
          onChange={(program) => setServer({ ...server, program })}
        />
      )}
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{
            name: text.name,
            server_url: text.url,
            "mcp.program": text.programName,
            "mcp.transport": text.transport,
            token: text.token,
          }}
        />
      )}
      <FormSubmit
        form={form}
        within={buttonIn}
        isReady={server.name.trim() !== "" && where.trim() !== ""}
        isPending={add.isPending}
      >
        {text.inspect}
      </FormSubmit>
      <p className={styles.note}>{text.note}</p>
    </Form>
  );
}
