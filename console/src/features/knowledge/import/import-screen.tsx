import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMemo, useRef, useState } from "react";
import { failureOf, useRested } from "../../../api/list";
import { type Upload, useUploads } from "../../../api/uploads";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Checkbox } from "../../../ui/checkbox/checkbox";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Page } from "../../../ui/page/page";
import { toast } from "../../../ui/toast/toasts";
import { baseQuery } from "../base/queries";
import { CuttingForm } from "./cutting-form";
import styles from "./import-screen.module.css";
import { PreviewPane } from "./preview-pane";
import { useImport, usePreview } from "./queries";
import { ReadingForm } from "./reading-form";
import {
  FIRST_CUTTING,
  FIRST_READING,
  mostBytes,
  type Policy,
  type Settings,
  type Source,
} from "./rules";
import { SourceForm } from "./source-form";
import { SourceList } from "./source-list";
import { RowsPane } from "./table/rows-pane";
import { TableForm } from "./table/table-form";
import { useTableDraft } from "./table/use-table-draft";
import { importText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId/import");
const PREVIEW_REST_MS = 500;
const TEXT_BASE = 0;
const TABLE_BASE = 1;
const FIRST_SETTINGS: Settings = { reading: FIRST_READING, cutting: FIRST_CUTTING };

/** What is to go into a base: chosen, set up and looked at before it is taken in. */
export function ImportScreen() {
  const text = useText(importText);
  const { workspaceId, baseId } = page.useParams();
  const navigate = page.useNavigate();
  const { data: base } = useQuery(baseQuery(baseId));
  const kind = base?.format_type ?? TEXT_BASE;
  const uploads = useUploads(workspaceId, mostBytes(kind));
  const [others, setOthers] = useState<readonly Source[]>([]);
  const [common, setCommon] = useState<Settings>(FIRST_SETTINGS);
  const [own, setOwn] = useState<ReadonlyMap<string, Settings>>(new Map());
  const [policy, setPolicy] = useState<Policy>("skip");
  const [lookedAt, setLookedAt] = useState<string>();
  const [edited, setEdited] = useState<ReadonlyMap<string, string>>(new Map());
  const [key] = useState(() => crypto.randomUUID());
  const taken = useRef(new Set<string>());
  const sources = useMemo(() => [...uploads.all.flatMap(stored), ...others], [uploads.all, others]);
  const shown = sources.find((source) => source.id === lookedAt) ?? sources[0];
  const isText = kind === TEXT_BASE;
  const isTable = kind === TABLE_BASE;
  const table = useTableDraft(baseId, isTable, shown);
  const alone = shown && own.get(shown.id);
  const { reading, cutting } = alone ?? common;
  const rested = useRested(cutting, PREVIEW_REST_MS);
  const { preview, error: failed } = usePreview(
    baseId,
    isText ? shown : undefined,
    reading,
    rested,
  );
  const start = useImport(baseId, isText);
  // One file is the table, or what is added to it; another one takes its place.
  const isKnown = table.known.length > 0;
  const onTheWay = uploads.all.filter(({ state }) => state === "waiting" || state === "sending");
  const failure = failureOf(start.error);
  function remove(id: string): void {
    uploads.remove(id);
    setOthers((all) => all.filter((source) => source.id !== id));
    setOwn((all) => without(all, id));
  }
  function addFiles(files: Parameters<typeof uploads.add>[0]): void {
    if (isTable) for (const { id } of uploads.all) uploads.remove(id);
    uploads.add(files);
  }
  /** What was edited by hand was cut by other settings. */
  function set(change: Partial<Settings>): void {
    if (alone && shown) {
      setOwn(new Map(own).set(shown.id, { ...alone, ...change }));
      setEdited((all) => without(all, shown.id));
    } else {
      setCommon({ ...common, ...change });
      setEdited((all) => new Map([...all].filter(([id]) => own.has(id))));
    }
  }
  function setAlone(id: string, isAlone: boolean): void {
    setOwn(isAlone ? new Map(own).set(id, common) : without(own, id));
    if (!isAlone) setEdited((all) => without(all, id));
  }
  function begin(): void {
    const order = {
      sources: sources.filter((source) => !taken.current.has(source.id)),
      edited,
      settings: common,
      own,
      // A file that failed before there was a table is not kept beside this one.
      policy: isTable && !isKnown ? "replace" : policy,
      table: table.order,
      key,
      onTaken: (ids: readonly string[]) => {
        for (const id of ids) taken.current.add(id);
      },
    };
    start.mutate(order, {
      onSuccess: (count) => {
        toast(text.started(count));
        void navigate({
          to: "/w/$workspaceId/knowledge/$baseId",
          params: { workspaceId, baseId },
        });
      },
    });
  }
  return (
    <Page
      title={text.title}
      context={base?.name ?? ""}
      path={
        <>
          <Link to="/w/$workspaceId/knowledge" params={{ workspaceId }}>
            {text.knowledge}
          </Link>
          {base && (
            <Link to="/w/$workspaceId/knowledge/$baseId" params={{ workspaceId, baseId }}>
              {base.name}
            </Link>
          )}
        </>
      }
      state={onTheWay.length > 0 && text.uploading(onTheWay.length)}
      actions={
        <Button
          kind="primary"
          disabled={sources.length === 0 || onTheWay.length > 0 || (isTable && !table.order)}
          isLoading={start.isPending}
          onClick={begin}
        >
          {sources.length > 0 ? text.start(sources.length) : text.startNone}
        </Button>
      }
    >
      <div className={styles.panes}>
        <section aria-label={text.setup} className={styles.setup}>
          {failure && <ErrorLine failure={failure} />}
          <SourceForm
            workspaceId={workspaceId}
            baseId={baseId}
            kind={kind}
            onFiles={addFiles}
            onAdd={(added) =>
              setOthers((all) => [
                ...all,
                ...added.filter(({ id }) => all.every((each) => each.id !== id)),
              ])
            }
          />
          <SourceList
            uploads={uploads.all}
            mostBytes={mostBytes(kind)}
            sources={others}
            own={own}
            shownId={isText ? shown?.id : undefined}
            onShow={setLookedAt}
            onRemove={remove}
            onRetry={uploads.retry}
          />
          {isTable && shown && <TableForm draft={table} />}
          {isText && shown && sources.length > 1 && (
            <div>
              <Checkbox
                label={text.own(shown.name)}
                isChecked={alone !== undefined}
                onChange={(isAlone) => setAlone(shown.id, isAlone)}
              />
              {alone && <p className={styles.why}>{text.ownWhy(shown.name)}</p>}
            </div>
          )}
          {(!isTable || isKnown) && (
            <ReadingForm
              isText={isText}
              reading={reading}
              policy={policy}
              onPolicy={setPolicy}
              onChange={(next) => set({ reading: next })}
            />
          )}
          {isText && <CuttingForm cutting={cutting} onChange={(next) => set({ cutting: next })} />}
        </section>
        <section aria-label={text.preview} className={styles.preview}>
          {isTable ? (
            <RowsPane source={shown} draft={table} />
          ) : (
            <PreviewPane
              isText={isText}
              source={shown}
              preview={preview}
              failure={failureOf(failed)}
              isEdited={shown !== undefined && edited.has(shown.id)}
              onEdited={(previewId) =>
                shown && setEdited((all) => new Map([...all, [shown.id, previewId]]))
              }
            />
          )}
        </section>
      </div>
    </Page>
  );
}

function stored(upload: Upload): Source[] {
  const { id, name } = upload;
  return upload.stored ? [{ kind: "file", id, name, fileId: upload.stored.id }] : [];
}

function without<T>(all: ReadonlyMap<string, T>, id: string): ReadonlyMap<string, T> {
  return new Map([...all].filter(([key]) => key !== id));
}
