import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { ShieldX } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { failureOf } from "../../../api/list";
import type { ModelInput } from "../../../api/schema";
import { useSession } from "../../../session/session";
import { useText } from "../../../text/catalogue";
import { Banner } from "../../../ui/banner/banner";
import { Button } from "../../../ui/button/button";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import { useUnsaved } from "../../../ui/form/unsaved";
import { Page } from "../../../ui/page/page";
import { toast } from "../../../ui/toast/toasts";
import { type Model, modelQuery, useSaveModel } from "../queries";
import { AskPanel } from "./ask-panel";
import { abilitiesOf, changesConnection, editOf, inputOf, type ModelEdit, NEW } from "./edit";
import { ModelForm } from "./model-form";
import styles from "./model-screen.module.css";
import { TestPanel } from "./test-panel";
import { useModelTest } from "./test-run";
import { modelText } from "./text";

const page = getRouteApi("/shell/models/$modelId");
const FRESH = "new";

/** One model: how it is reached and what it can do, beside a test and a question to it. */
export function ModelScreen() {
  const text = useText(modelText);
  const { modelId } = page.useParams();
  const { user } = useSession();
  const isNew = modelId === FRESH;
  const found = useQuery({ ...modelQuery(modelId), enabled: user.is_admin && !isNew });
  const path = <Link to="/models">{text.models}</Link>;
  if (!user.is_admin) {
    return (
      <Page title={text.models}>
        <EmptyState title={text.noRight} drawing={<ShieldX size={40} strokeWidth={1} />}>
          {text.noRightWhy}
        </EmptyState>
      </Page>
    );
  }
  if (isNew || found.data) {
    return <Editor key={found.data?.id ?? FRESH} model={found.data} path={path} />;
  }
  const failure = failureOf(found.error);
  return (
    <Page title="" path={path} context={text.models}>
      {failure && <ErrorState failure={failure} onRetry={() => void found.refetch()} />}
    </Page>
  );
}

function Editor({ model, path }: { model: Model | undefined; path: ReactNode }) {
  const text = useText(modelText);
  const navigate = useNavigate();
  const [read, setRead] = useState(model);
  const before = useMemo(() => read && editOf(read), [read]);
  const [edit, setEdit] = useState<ModelEdit>(() => before ?? NEW);
  const save = useSaveModel();
  const test = useModelTest();
  const isReadOnly = model?.is_read_only ?? false;
  const body = inputOf(edit, before);
  const isChanged = before ? Object.keys(body).length > 0 : edit.name !== "" || edit.address !== "";
  // What others stored comes in by itself, unless it would take away what was edited here: who saves
  // that, over a revision that is not the newest, is told so.
  if (model && read && model.revision !== read.revision && !isChanged && !save.isPending) {
    setRead(model);
    setEdit(editOf(model));
  }
  const isWhole = edit.name.trim() !== "" && (edit.address.trim() !== "" || isOffline(edit));
  const isTestedFirst = changesConnection(edit, before) && !isReadOnly && !isOffline(edit);
  const put = (change: Partial<ModelEdit>) => setEdit((old) => ({ ...old, ...change }));
  useUnsaved(isChanged && !save.isPending);
  const tried = (changes: ModelInput, detects: boolean) => ({
    ...(model ? { model_id: model.id } : {}),
    ...(Object.keys(changes).length > 0 || !model ? { changes } : {}),
    detects,
  });
  function store(): void {
    save.mutate(
      { model: read, body },
      {
        onSuccess: (stored) => {
          toast(model ? text.saved : text.created(stored.display.name));
          setRead(stored);
          setEdit(editOf(stored));
          if (model) return;
          void navigate({
            to: "/models/$modelId",
            params: { modelId: stored.id },
            replace: true,
          });
        },
      },
    );
  }
  async function submit(): Promise<void> {
    if (isTestedFirst && !(await test.begin(tried(body, false)))?.ok) return;
    store();
  }
  async function detect(): Promise<void> {
    const found = (await test.begin(tried(body, true)))?.capabilities;
    if (found && !isReadOnly) put({ isOwn: true, abilities: abilitiesOf(found) });
  }
  const failure = failureOf(save.error);
  return (
    <Page
      title={model ? model.display.name : text.newTitle}
      path={path}
      context={text.models}
      state={isChanged && model ? text.unsaved : undefined}
      actions={
        !isReadOnly && (
          <>
            {test.hasFailed && isChanged && isTestedFirst && (
              <Button onClick={store} isLoading={save.isPending}>
                {text.saveAnyway}
              </Button>
            )}
            <Button
              kind="primary"
              disabled={!isChanged || !isWhole}
              isLoading={save.isPending || test.isRunning}
              onClick={() => void submit()}
            >
              {isTestedFirst ? text.testAndSave : text.save}
            </Button>
          </>
        )
      }
    >
      <div className={styles.panes}>
        <div className={styles.form}>
          {model && isReadOnly && <Banner tone="info">{text.readOnly[model.source]}</Banner>}
          <ModelForm
            model={model}
            edit={edit}
            failure={failure}
            isDisabled={isReadOnly}
            isDetecting={test.isRunning}
            onEdit={put}
            onDetect={isWhole && edit.type === "llm" ? () => void detect() : undefined}
          />
        </div>
        <div className={styles.aside}>
          <TestPanel
            test={test}
            last={model?.settings?.last_test ?? undefined}
            isSaving={isTestedFirst && isChanged}
            onRun={isWhole ? () => void test.begin(tried(body, false)) : undefined}
          />
          {model?.type === "llm" && model.enabled && (
            <AskPanel model={model} isChanged={isChanged} />
          )}
        </div>
      </div>
    </Page>
  );
}

function isOffline(edit: ModelEdit): boolean {
  return edit.provider === "offline";
}
