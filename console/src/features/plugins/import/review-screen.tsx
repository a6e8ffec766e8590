import { KeyRound, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { ServerWords } from "../../../ui/error-state/server-words";
import { Page, PageBody } from "../../../ui/page/page";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import { useCreatePlugin } from "./queries";
import styles from "./review-screen.module.css";
import { ReviewTable } from "./review-table";
import type { Review } from "./rules";
import { pluginImportText } from "./text";

type Props = {
  workspaceId: string;
  path: ReactNode;
  review: Review;
  onBack: () => void;
  onMade: (pluginId: string) => void;
};

/** What a document would become, to be chosen from and put right before it is stored. */
export function ReviewScreen({ workspaceId, path, review, onBack, onMade }: Props) {
  const text = useText(pluginImportText);
  const [name, setName] = useState(review.name);
  const [description, setDescription] = useState(review.description);
  const [serverUrl, setServerUrl] = useState(review.server_url);
  const [tools, setTools] = useState(() =>
    review.tools.map((tool, index) => ({ key: index, tool, isTaken: true })),
  );
  const create = useCreatePlugin(workspaceId);
  const failure = failureOf(create.error);
  const taken = tools.filter((each) => each.isTaken).map((each) => each.tool);
  function store(): void {
    create.mutate(
      { name: name.trim(), description: description.trim(), serverUrl, tools: taken },
      {
        onSuccess: (plugin) => {
          toast(text.imported(plugin.name));
          onMade(plugin.id);
        },
      },
    );
  }
  return (
    <Page
      title={text.reviewTitle}
      path={path}
      context={text.plugins}
      actions={
        <>
          <Button onClick={onBack}>{text.back}</Button>
          <Button
            kind="primary"
            disabled={taken.length === 0 || !name.trim()}
            isLoading={create.isPending}
            onClick={store}
          >
            {text.store(taken.length)}
          </Button>
        </>
      }
    >
      <PageBody>
        {failure && <ErrorLine failure={failure} />}
        <div className={styles.about}>
          <TextField
            label={text.name}
            value={name}
            onChange={setName}
            maxLength={50}
            autoComplete="off"
            required
          />
          <TextField
            label={text.server}
            type="url"
            value={serverUrl}
            onChange={setServerUrl}
            {...(serverUrl ? {} : { error: text.serverMissing })}
            autoComplete="off"
          />
          <TextField
            label={text.description}
            value={description}
            onChange={setDescription}
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
        <ReviewTable tools={tools} onChange={setTools} />
      </PageBody>
    </Page>
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
