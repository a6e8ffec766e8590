import { KeyRound, TriangleAlert } from "lucide-react";
import { useText } from "../text/catalogue";
import { ServerWords } from "../ui/error-state/server-words";
import { TextField } from "../ui/text-field/text-field";
import type { PluginDraft } from "./queries";
import styles from "./review-form.module.css";
import { ReviewTable } from "./review-table";
import type { Review, ToolDraft } from "./rules";
import { pluginImportText } from "./text";

type Reviewed = {
  name: string;
  description: string;
  serverUrl: string;
  tools: readonly { key: number; tool: ToolDraft; isTaken: boolean }[];
};

/** What was found, before somebody chooses from it. */
export function reviewed({ name, description, server_url, tools }: Review): Reviewed {
  return {
    name,
    description,
    serverUrl: server_url,
    tools: tools.map((tool, key) => ({ key, tool, isTaken: true })),
  };
}

/** The plugin that comes of it; nothing where it would have no name or no tools. */
export function draftOf({
  name,
  description,
  serverUrl,
  tools,
}: Reviewed): PluginDraft | undefined {
  const taken = tools.filter((each) => each.isTaken).map((each) => each.tool);
  if (taken.length === 0 || !name.trim()) return undefined;
  return { name: name.trim(), description: description.trim(), serverUrl, tools: taken };
}

type Props = { review: Review; value: Reviewed; onChange: (value: Reviewed) => void };

/** What a document would become, to be chosen from and put right before it is stored. */
export function ReviewForm({ review, value, onChange }: Props) {
  const text = useText(pluginImportText);
  const set = (change: Partial<Reviewed>) => onChange({ ...value, ...change });
  return (
    <>
      <div className={styles.about}>
        <TextField
          label={text.name}
          value={value.name}
          onChange={(name) => set({ name })}
          maxLength={50}
          autoComplete="off"
          required
        />
        <TextField
          label={text.server}
          type="url"
          value={value.serverUrl}
          onChange={(serverUrl) => set({ serverUrl })}
          {...(value.serverUrl ? {} : { error: text.serverMissing })}
          autoComplete="off"
        />
        <TextField
          label={text.description}
          value={value.description}
          onChange={(description) => set({ description })}
          maxLength={2000}
          autoComplete="off"
        />
      </div>
      {review.auth_hint && (
        <div className={styles.notice}>
          <KeyRound size={16} />
          <p>
            {text.auth} <code>{review.auth_hint}</code>
            <br />
            {text.leftOut}
          </p>
        </div>
      )}
      {review.problems.length > 0 && <Problems problems={review.problems} />}
      <ReviewTable tools={value.tools} onChange={(tools) => set({ tools })} />
    </>
  );
}

function Problems({ problems }: { problems: Review["problems"] }) {
  const text = useText(pluginImportText);
  return (
    <details open={problems.length < 6} className={styles.problems}>
      <summary>
        <TriangleAlert size={16} />
        {text.problems(problems.length)}
      </summary>
      <dl>
        {problems.map(({ path, message }) => (
          <div key={`${path} ${message}`}>
            <dt>{path}</dt>
            <dd>
              <ServerWords message={message} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
