import { BookOpen, Braces, Copy, Ellipsis, Pin, Play, Trash2, X } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { useFindingWords } from "../../ui/error-state/reasons";
import { Menu, MenuItem } from "../../ui/menu/menu";
import { freshTitle, replaceNode, setInNode } from "../commands/nodes";
import { BrokenText, parse } from "../document/parse";
import { pathWithin } from "../document/pointer";
import { write } from "../document/tree";
import { useKindName } from "../kinds";
import { graphOf, type Placed } from "../model/graph";
import { isEnd, isRunnable, NOTE } from "../model/kind";
import { useProblems } from "../problems";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";
import { useActs } from "../view/acts";
import { KindIcon } from "../view/kind-icon";
import { BatchSection } from "./batch-section";
import { useEdit } from "./edit";
import { ErrorSection } from "./error-section";
import { InputRows, Section } from "./input-rows";
import { useLead } from "./lead";
import { FixedOutputRows, OutputRows } from "./output-rows";
import styles from "./panel.module.css";
import { formOf } from "./registry";
import rows from "./rows.module.css";

const KindDialog = lazy(() => import("./kind-dialog"));

type Props = {
  node: Placed;
  onRun: (() => void) | undefined;
  /** Lets a fixed output stand for the node in test runs. */
  onMock?: (() => void) | undefined;
  result?: React.ReactNode;
};

/** The form of the chosen node. */
export function NodePanel({ node, onRun, onMock, result }: Props) {
  const text = useText(canvasText);
  const store = useCanvasStore();
  const nameOf = useKindName();
  const acts = useActs();
  const edit = useEdit(node);
  const [isJson, setJson] = useState(false);
  const [isExplained, setExplained] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const isLed = useCanvas((state) => state.place !== undefined);
  if (isLed && isJson) setJson(false);
  useLead(body);
  const own = formOf(node.type);
  const canRun = onRun && !isEnd(node.type) && isRunnable(node.type) && node.type !== NOTE;
  return (
    <div className={styles.panel}>
      <header className={styles.head}>
        <KindIcon type={node.type} size={24} />
        <div className={styles.names}>
          <TitleField node={node} />
          {nameOf(node.type) !== node.title && (
            <span className={styles.kind}>{nameOf(node.type)}</span>
          )}
        </div>
        {canRun && (
          <IconButton
            size="compact"
            label={text.run.thisNode}
            shortcut="mod+shift+enter"
            icon={<Play size={16} />}
            onClick={onRun}
          />
        )}
        <Menu
          align="end"
          trigger={<IconButton size="compact" label={text.more} icon={<Ellipsis size={16} />} />}
        >
          <MenuItem icon={<Braces size={16} />} onSelect={() => setJson(!isJson)}>
            {isJson ? text.form.showForm : text.form.showJson}
          </MenuItem>
          {!isEnd(node.type) && (
            <MenuItem
              icon={<Copy size={16} />}
              shortcut="mod+c"
              onSelect={() => void navigator.clipboard.writeText(acts.copyText() ?? "")}
            >
              {text.copyNode}
            </MenuItem>
          )}
          <MenuItem icon={<BookOpen size={16} />} onSelect={() => setExplained(true)}>
            {text.aboutKind}
          </MenuItem>
          {onMock && (
            <MenuItem icon={<Pin size={16} />} onSelect={onMock}>
              {text.run.mock.fix}
            </MenuItem>
          )}
          {!isEnd(node.type) && !edit.isReadOnly && (
            <MenuItem icon={<Trash2 size={16} />} isDangerous onSelect={() => acts.remove(true)}>
              {text.remove}
            </MenuItem>
          )}
        </Menu>
        <IconButton
          size="compact"
          label={text.close}
          icon={<X size={16} />}
          onClick={() => store.getState().open("")}
        />
      </header>
      <Suspense>
        {isExplained && <KindDialog type={node.type} onClose={() => setExplained(false)} />}
      </Suspense>
      <div className={styles.body} ref={body}>
        {result}
        <Findings node={node} />
        {isJson ? (
          <JsonForm key={node.id} node={node} />
        ) : (
          <>
            {own?.inputs === "free" && <InputRows node={node} title={text.form.inputs} />}
            {own?.inputs === "fixed" && <InputRows node={node} title={text.form.inputs} isFixed />}
            {own ? <own.Form node={node} /> : <GeneralForm node={node} />}
            {own?.outputs === "free" && <OutputRows node={node} title={text.form.outputs} />}
            {own?.outputs === "fixed" && <FixedOutputRows node={node} title={text.form.outputs} />}
            {own?.hasBatch && <BatchSection node={node} />}
            {own?.handlesErrors && <ErrorSection node={node} />}
          </>
        )}
      </div>
    </div>
  );
}

/** Inputs, outputs, and the rest as text: for kinds that have no form of their own. */
function GeneralForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  return (
    <>
      {!isRunnable(node.type) && <p className={styles.cannot}>{text.form.cannotRun}</p>}
      <InputRows node={node} title={text.form.inputs} />
      <OutputRows node={node} title={text.form.outputs} />
      <JsonForm key={node.id} node={node} />
    </>
  );
}

function TitleField({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const [draft, setDraft] = useState<string>();
  function leave(): void {
    const wanted = draft?.trim();
    setDraft(undefined);
    if (!wanted || wanted === node.title) return;
    edit.change(text.steps.rename, (root) =>
      setInNode(
        root,
        node.id,
        ["data", "nodeMeta", "title"],
        freshTitle(graphOf(root), wanted, node.id),
      ),
    );
  }
  return (
    <input
      className={styles.title}
      aria-label={text.form.title}
      disabled={edit.isReadOnly}
      value={draft ?? node.title}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") setDraft(undefined);
      }}
    />
  );
}

/** A node as the format has it; it holds once it is taken over. */
function JsonForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  const edit = useEdit(node);
  const [draft, setDraft] = useState<string>();
  const [wrong, setWrong] = useState("");
  const now = draft ?? write(node.value);
  function take(): void {
    try {
      parse(now);
      edit.change(text.steps.edit(node.title), (root) => replaceNode(root, node.id, now));
      setDraft(undefined);
      setWrong("");
    } catch (error) {
      setWrong(error instanceof BrokenText ? text.form.noJson(error.at) : String(error));
    }
  }
  return (
    <Section title={text.form.json}>
      <div className={rows.stack}>
        <textarea
          className={rows.code}
          aria-label={text.form.json}
          spellCheck={false}
          rows={18}
          value={now}
          disabled={edit.isReadOnly}
          onChange={(event) => setDraft(event.target.value)}
        />
        {wrong && <p className={rows.bad}>{wrong}</p>}
        {draft !== undefined && draft !== write(node.value) && (
          <div className={rows.row}>
            <Button kind="primary" size="compact" onClick={take}>
              {text.form.take}
            </Button>
            <Button kind="quiet" size="compact" onClick={() => setDraft(undefined)}>
              {text.form.discard}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

/** What is wrong with the node; a choice leads to the field. */
function Findings({ node }: { node: Placed }) {
  const store = useCanvasStore();
  const { all } = useProblems();
  const wordsOf = useFindingWords();
  const own = all.filter((each) => each.node_id === node.id && each.severity !== "info");
  if (own.length === 0) return null;
  return (
    <ul className={styles.findings}>
      {own.slice(0, 6).map((each) => {
        const { what, advice } = wordsOf(each);
        const place = pathWithin(node.path, each.json_pointer);
        const words = (
          <>
            <span>{what}</span>
            {advice && <span className={styles.hint}>{advice}</span>}
          </>
        );
        return (
          <li key={each.code + each.json_pointer + each.message} data-tone={each.severity}>
            {place ? (
              <button
                type="button"
                className={styles.finding}
                onClick={() => store.getState().open("node", place)}
              >
                {words}
              </button>
            ) : (
              words
            )}
          </li>
        );
      })}
    </ul>
  );
}
