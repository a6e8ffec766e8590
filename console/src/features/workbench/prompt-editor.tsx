import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import { EditorView, hoverTooltip, keymap, placeholder as placeholderOf } from "@codemirror/view";
import { use, useEffect, useRef, useState } from "react";
import { VARIABLE } from "../../text/prompt-variables";
import { COMPLETION_THEME, marks } from "../../ui/code/code";
import { StyleNonce } from "../../ui/nonce";
import { FindBar } from "./find-bar";
import styles from "./prompt-editor.module.css";
import { type Found, finding, lookFor } from "./prompt-find";

/** What a text may name; `facts` are told beside it. */
export type PromptVariable = { name: string; note: string; facts: readonly string[] };
type LibraryPrompt = { id: string; name: string; note: string; text: string };

type Props = {
  label: string;
  placeholder: string;
  value: string;
  variables: readonly PromptVariable[];
  /** The texts that are offered after a slash. */
  findPrompts: () => Promise<readonly LibraryPrompt[]>;
  isReadOnly: boolean;
  isFinding: boolean;
  onFinding: (isFinding: boolean) => void;
  onChange: (value: string) => void;
};

const NOTHING: Found = { count: 0, at: 0 };
const OUTSIDE = Annotation.define<boolean>();

/** Markdown with variables: known ones are chips, unknown ones are underlined. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PromptEditor(props: Props) {
  const { label, placeholder, value, variables, findPrompts, onChange } = props;
  const { isReadOnly, isFinding, onFinding } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const known = useRef(variables);
  const prompts = useRef(findPrompts);
  const changed = useRef(onChange);
  const first = useRef(value);
  const asked = useRef(onFinding);
  const [found, setFound] = useState(NOTHING);
  const nonce = use(StyleNonce);
  asked.current = onFinding;
  prompts.current = findPrompts;
  changed.current = onChange;
  known.current = variables;
  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          history(),
          keymap.of([
            { key: "Mod-f", run: () => askToFind(asked.current) },
            ...completionKeymap,
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
          ...(nonce ? [EditorView.cspNonce.of(nonce)] : []),
          placeholderOf(placeholder),
          autocompletion({
            override: [
              (context) => completions(context, known.current),
              (context) => promptChoices(context, prompts.current),
            ],
          }),
          CHIPS.of(chips(known.current)),
          EDITABLE.of(EditorState.readOnly.of(false)),
          MARKDOWN,
          FIND.field,
          explained(() => known.current),
          EditorView.theme(THEME),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((each) => each.annotation(OUTSIDE));
            if (update.docChanged && !isOurs) changed.current(update.state.doc.toString());
            setFound((old) => {
              const next = FIND.told(update.state);
              return old.count === next.count && old.at === next.at ? old : next;
            });
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, placeholder, nonce]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: smallest(editor.state.doc.toString(), value),
      annotations: OUTSIDE.of(true),
    });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: CHIPS.reconfigure(chips(variables)) });
  }, [variables]);
  useEffect(() => {
    view.current?.dispatch({
      effects: EDITABLE.reconfigure(EditorState.readOnly.of(isReadOnly)),
    });
  }, [isReadOnly]);
  const acting = (act: (editor: EditorView) => void) => () => view.current && act(view.current);
  return (
    <>
      {isFinding && (
        <FindBar
          found={found}
          isReadOnly={isReadOnly}
          onWords={(words) =>
            acting((editor) => {
              const { from } = editor.state.selection.main;
              editor.dispatch({ effects: lookFor.of(words), selection: { anchor: from } });
              FIND.seek(editor);
            })()
          }
          onSeek={(isBack) => acting((editor) => FIND.seek(editor, isBack))()}
          onReplace={(words) => acting((editor) => FIND.replace(editor, words))()}
          onReplaceAll={(words) => acting((editor) => FIND.replaceAll(editor, words))()}
          onClose={acting((editor) => {
            editor.dispatch({ effects: lookFor.of("") });
            editor.focus();
            onFinding(false);
          })}
        />
      )}
      <div ref={frame} className={styles.editor} />
    </>
  );
}

function askToFind(ask: (isFinding: boolean) => void): boolean {
  ask(true);
  return true;
}

/** The change from one text to another without what both begin and end with: cursors stay. */
function smallest(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let tail = 0;
  while (tail < most - from && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { from, to: before.length - tail, insert: after.slice(from, after.length - tail) };
}

/** Type face and menus of the page. */
const THEME = {
  ...COMPLETION_THEME,
  ".cm-scroller": { font: "var(--reading)" },
  ".cm-tooltip.cm-tooltip-hover": {
    border: "0",
    borderRadius: "var(--r-card)",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--float)",
    color: "var(--text)",
  },
};
const CHIPS = new Compartment();
const EDITABLE = new Compartment();
const FIND = finding(styles.match ?? "");

function chips(variables: readonly PromptVariable[]) {
  const names = new Set(variables.map(({ name }) => name));
  return marks(
    VARIABLE,
    (match) => (names.has(match[1] ?? "") ? styles.known : styles.unknown) ?? "",
  );
}

/** Headings, quotes, signs of lists, code, and what is strong. */
const MARKDOWN = marks(
  /^#{1,6} .*$|^\s*>.*$|^\s*(?:[-*+]|\d+[.)])(?=\s)|`[^`\n]+`|\*\*[^*\n]+\*\*/gm,
  ([all]) => {
    const sign = all.trimStart();
    if (sign.startsWith("#") || sign.startsWith("**")) return styles.strong ?? "";
    return (sign.startsWith("`") ? styles.code : styles.quiet) ?? "";
  },
);

/** Beside a variable: what it is for, its value, and where that comes from. */
function explained(variables: () => readonly PromptVariable[]) {
  return hoverTooltip((editor, position) => {
    const line = editor.state.doc.lineAt(position);
    for (const match of line.text.matchAll(VARIABLE)) {
      const from = line.from + match.index;
      const to = from + match[0].length;
      const variable = variables().find(({ name }) => name === match[1]);
      if (position < from || position > to || !variable) continue;
      return {
        pos: from,
        end: to,
        above: true,
        create: () => ({ dom: card([variable.name, variable.note, ...variable.facts]) }),
      };
    }
    return null;
  });
}

function card(lines: readonly string[]): HTMLElement {
  const dom = document.createElement("div");
  dom.className = styles.card ?? "";
  for (const line of lines.filter(Boolean)) {
    const row = document.createElement("p");
    row.textContent = line;
    dom.append(row);
  }
  return dom;
}

/** Variables, once two braces are open. */
function completions(
  context: CompletionContext,
  variables: readonly PromptVariable[],
): CompletionResult | null {
  const open = context.matchBefore(/\{\{[\w.-]*/);
  if (!open) return null;
  return {
    from: open.from + 2,
    options: variables.map(({ name, note }) => ({
      label: name,
      detail: note,
      apply: (editor, _, from, to) => {
        const isClosed = editor.state.sliceDoc(to, to + 2) === "}}";
        editor.dispatch({
          changes: { from, to, insert: isClosed ? name : `${name}}}` },
          selection: { anchor: from + name.length + 2 },
        });
      },
    })),
    validFor: /^[\w.-]*$/,
  };
}

/** Texts of the library, once a slash begins a word; the chosen one takes its place. */
async function promptChoices(
  context: CompletionContext,
  find: () => Promise<readonly LibraryPrompt[]>,
): Promise<CompletionResult | null> {
  const open = context.matchBefore(/(?:^|\s)\/[^\s/]*/);
  if (!open) return null;
  const slash = open.from + open.text.indexOf("/");
  const found = await find();
  if (context.aborted || found.length === 0) return null;
  return {
    from: slash + 1,
    options: found.map(({ name, note, text }) => ({
      label: name,
      detail: note,
      apply: (editor, _, from, to) =>
        editor.dispatch({
          changes: { from: from - 1, to, insert: text },
          selection: { anchor: from - 1 + text.length },
        }),
    })),
    validFor: /^[^\s/]*$/,
  };
}
