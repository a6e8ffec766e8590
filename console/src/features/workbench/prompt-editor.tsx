import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Annotation, Compartment, EditorState } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  MatchDecorator,
  placeholder as placeholderOf,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { use, useEffect, useRef } from "react";
import { VARIABLE } from "../../text/prompt-variables";
import { StyleNonce } from "../../ui/nonce";
import styles from "./prompt-editor.module.css";

export type PromptVariable = { name: string; note: string };
type LibraryPrompt = { id: string; name: string; note: string; text: string };

type Props = {
  label: string;
  placeholder: string;
  value: string;
  variables: readonly PromptVariable[];
  /** The texts that are offered after a slash. */
  findPrompts: () => Promise<readonly LibraryPrompt[]>;
  onChange: (value: string) => void;
};

const OUTSIDE = Annotation.define<boolean>();

/** Markdown with variables: known ones are chips, unknown ones are underlined. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PromptEditor(props: Props) {
  const { label, placeholder, value, variables, findPrompts, onChange } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const known = useRef(variables);
  const prompts = useRef(findPrompts);
  const changed = useRef(onChange);
  const first = useRef(value);
  const nonce = use(StyleNonce);
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
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
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
          HEADINGS,
          EditorView.theme(THEME),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((each) => each.annotation(OUTSIDE));
            if (update.docChanged && !isOurs) changed.current(update.state.doc.toString());
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
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: OUTSIDE.of(true),
    });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: CHIPS.reconfigure(chips(variables)) });
  }, [variables]);
  return <div ref={frame} className={styles.editor} />;
}

/** Type face and menu of the page: what the editor brings stands above the layers of ours. */
const THEME = {
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "var(--reading)" },
  ".cm-placeholder": { color: "var(--text-3)" },
  ".cm-tooltip.cm-tooltip-autocomplete": {
    border: "0",
    borderRadius: "var(--r-card)",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--float)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { padding: "var(--s-1)", font: "var(--body)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    padding: "3px var(--s-2)",
    borderRadius: "var(--r-field)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--hover)",
    color: "var(--text)",
  },
  ".cm-tooltip .cm-completionDetail": { color: "var(--text-2)", fontStyle: "normal" },
};
const CHIPS = new Compartment();

function chips(variables: readonly PromptVariable[]) {
  const names = new Set(variables.map(({ name }) => name));
  return marks(
    VARIABLE,
    (match) => (names.has(match[1] ?? "") ? styles.known : styles.unknown) ?? "",
  );
}

const HEADINGS = marks(/^#{1,6} .*$/gm, () => styles.heading ?? "");

function marks(pattern: RegExp, nameOf: (match: RegExpExecArray) => string) {
  const matcher = new MatchDecorator({
    regexp: pattern,
    decoration: (match) => Decoration.mark({ class: nameOf(match) }),
  });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(editor: EditorView) {
        this.decorations = matcher.createDeco(editor);
      }
      update(update: ViewUpdate): void {
        this.decorations = matcher.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
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
