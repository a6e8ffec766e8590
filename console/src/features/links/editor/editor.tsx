import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link as RouteLink } from "@tanstack/react-router";
import { useId, useState } from "react";
import { failureOf } from "../../../api/list";
import { may, useWorkspace } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { ErrorState } from "../../../ui/error-state/error-state";
import { Form } from "../../../ui/form/form";
import { Page } from "../../../ui/page/page";
import { toast } from "../../../ui/toast/toasts";
import { type Link, linkQuery, useChangeLink } from "../queries";
import { linksText } from "../text";
import { Access } from "./access";
import { changesOf, draftOf } from "./draft";
import styles from "./editor.module.css";
import { Limits } from "./limits";
import { Look } from "./look";
import { OnSite } from "./on-site";
import { Preview } from "./preview";
import { Visitors } from "./visitors";

const page = getRouteApi("/shell/w/$workspaceId/links/$linkId");

/** A share link: what it says, whom it lets in, and its page as visitors see it. */
export function Editor() {
  const text = useText(linksText);
  const { workspaceId, linkId } = page.useParams();
  const { data, error, refetch } = useQuery(linkQuery(linkId));
  const path = (
    <RouteLink to="/w/$workspaceId/links" params={{ workspaceId }}>
      {text.title}
    </RouteLink>
  );
  if (data?.id !== linkId) {
    const failure = failureOf(error);
    return (
      <Page title={text.unnamed} path={path} context={text.title}>
        {failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return <LinkForm key={linkId} link={data} path={path} />;
}

function LinkForm({ link, path }: { link: Link; path: React.ReactNode }) {
  const text = useText(linksText);
  const workspace = useWorkspace(link.workspace_id);
  const canWrite = may(workspace, "bot.publish");
  const [draft, setDraft] = useState(() => draftOf(link));
  const { mutate, isPending, error } = useChangeLink(link.id);
  const failure = failureOf(error);
  const form = useId();
  const changes = changesOf(link, draft);
  const isChanged = changes !== undefined;
  const parts = {
    draft,
    onChange: (next: Partial<typeof draft>) => setDraft({ ...draft, ...next }),
  };
  function save(): void {
    if (!changes) return;
    mutate(changes, {
      onSuccess: (saved) => {
        setDraft(draftOf(saved));
        toast(text.saved);
      },
    });
  }
  return (
    <Page
      title={link.settings.name}
      path={path}
      context={text.title}
      state={isChanged && text.unsaved}
      actions={
        canWrite && (
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!isChanged || !draft.name.trim()}
            isLoading={isPending}
          >
            {text.save}
          </Button>
        )
      }
    >
      <div className={styles.panes}>
        <Form
          isChanged={isChanged}
          isSaving={isPending}
          id={form}
          className={styles.settings}
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          {failure && (
            <ErrorLine
              failure={failure}
              labels={{
                name: text.name,
                welcome: text.welcome,
                suggestions: text.suggestions,
                accent: text.accent,
                footer: text.footer,
                closed_text: text.closedText,
                runs_per_min: text.runsPerMin,
                expires_at: text.expires,
                allowed_origins: text.origins,
                password: text.password,
                public_key: text.publicKey,
                hook_url: text.hookUrl,
              }}
            />
          )}
          <fieldset disabled={!canWrite} className={styles.parts}>
            <Look {...parts} />
            <Visitors {...parts} />
            <Access {...parts} link={link} />
            <Limits {...parts} workspaceId={link.workspace_id} />
          </fieldset>
          <OnSite link={link} />
        </Form>
        <Preview link={link} />
      </div>
    </Page>
  );
}
