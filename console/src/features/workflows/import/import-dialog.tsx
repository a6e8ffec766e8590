import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { Dialog } from "../../../ui/dialog/dialog";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { FileDrop } from "../../../ui/file/file-drop";
import { uiText } from "../../../ui/text";
import { useReview } from "../queries";
import { workflowsText } from "../text";
import { useChoices } from "./choices";
import { FileReport } from "./file-report";
import styles from "./import-dialog.module.css";
import { MappingTable } from "./mapping-table";
import { mappingOf, proposal, wantsOf } from "./rules";
import { useImport } from "./use-import";

type Props = { workspaceId: string; onClose: () => void; onOpen: (id: string) => void };
type Chosen = { readonly files: readonly File[]; readonly texts: readonly string[] };

const NOTHING: Chosen = { files: [], texts: [] };

/** Bringing canvases in: what each would become and lacks here, before anything is stored. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImportDialog({ workspaceId, onClose, onOpen }: Props) {
  const text = useText(workflowsText);
  const { cancel } = useText(uiText);
  const review = useReview(workspaceId);
  const { brought, isRunning, isOver, run } = useImport(workspaceId);
  const [chosen, setChosen] = useState<Chosen>(NOTHING);
  const [picked, setPicked] = useState<Readonly<Record<string, string>>>({});
  const items = review.data?.items ?? [];
  const wants = wantsOf(items);
  const choices = useChoices(workspaceId, wants);
  const proposed = Object.fromEntries(
    wants.flatMap((want) => {
      const found = proposal(want, choices.of(want.kind));
      return found ? [[want.key, found.value]] : [];
    }),
  );
  const mapped = { ...proposed, ...picked };
  const usable = items.filter((each) => !each.problem).length;
  async function take(files: readonly File[]): Promise<void> {
    const texts = await Promise.all(files.map((file) => file.text()));
    const all = { files: [...chosen.files, ...files], texts: [...chosen.texts, ...texts] };
    setChosen(all);
    review.mutate(all.files.map((file, at) => ({ name: file.name, text: all.texts[at] ?? "" })));
  }
  const order = review.data?.order ?? chosen.files.map((_, at) => at);
  const failure = failureOf(review.error);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      isExplicit={isRunning}
      title={text.bringTitle}
      description={text.bringWhy}
      actions={
        isOver ? (
          <Button kind="primary" onClick={onClose}>
            {text.done}
          </Button>
        ) : (
          <>
            <Button disabled={isRunning} onClick={onClose}>
              {cancel}
            </Button>
            <Button
              kind="primary"
              isLoading={isRunning || review.isPending}
              disabled={usable === 0 || (wants.length > 0 && !choices.isReady)}
              onClick={() =>
                review.data && void run(review.data, chosen.texts, mappingOf(wants, mapped))
              }
            >
              {text.bringVerb(usable)}
            </Button>
          </>
        )
      }
    >
      <div className={styles.body}>
        {!isOver && !isRunning && (
          <FileDrop
            label={text.dropFiles}
            accept=".json,application/json"
            onFiles={(files) => void take(files)}
          />
        )}
        {failure && <ErrorLine failure={failure} />}
        {chosen.files.length > 0 && !failure && (
          <ol className={styles.files}>
            {order.map((at) => {
              const file = chosen.files[at];
              const item = items[at];
              const called = new Set(item?.resources.flatMap((need) => need.brought_by ?? []));
              return (
                file && (
                  <FileReport
                    key={`${at} ${file.name}`}
                    file={file}
                    review={review.isPending ? undefined : item}
                    calls={[...called].map((each) => items[each]?.name ?? "")}
                    brought={brought.get(at)}
                    onOpen={onOpen}
                  />
                )
              );
            })}
          </ol>
        )}
        {wants.length > 0 && !isOver && choices.isReady && (
          <MappingTable
            wants={wants}
            choicesOf={choices.of}
            chosen={mapped}
            isDisabled={isRunning}
            onChoose={(key, value) => setPicked((all) => ({ ...all, [key]: value }))}
          />
        )}
      </div>
    </Dialog>
  );
}
