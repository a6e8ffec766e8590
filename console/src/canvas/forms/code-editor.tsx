import { autocompletion, type CompletionContext, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { Annotation, Compartment, EditorState, RangeSetBuilder } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { use, useEffect, useRef } from "react";
import { COMPLETION_THEME, colours } from "../../ui/code/code";
import { StyleNonce } from "../../ui/nonce";
import styles from "./code-editor.module.css";

export type CodeName = { readonly name: string; readonly note: string };

type Props = {
  label: string;
  value: string;
  language: "python" | "javascript";
  /** What `args.params` holds. */
  inputs: readonly CodeName[];
  /** Lines, counted from 1, on which something is wrong. */
  wrong: readonly number[];
  isReadOnly: boolean;
  onChange: (value: string) => void;
};

const OUTSIDE = Annotation.define<boolean>();
const WORDS = new Compartment();
const LINES = new Compartment();

/** Code of a node: its inputs complete after `params`, wrong lines are marked. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CodeEditor(props: Props) {
  const { label, value, language, inputs, wrong, isReadOnly, onChange } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const known = useRef(inputs);
  const changed = useRef(onChange);
  const first = useRef(value);
  const nonce = use(StyleNonce);
  known.current = inputs;
  changed.current = onChange;
  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          history(),
          lineNumbers(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorState.tabSize.of(4),
          EditorState.readOnly.of(isReadOnly),
          EditorView.editable.of(!isReadOnly),
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
          ...(nonce ? [EditorView.cspNonce.of(nonce)] : []),
          autocompletion({ override: [(context) => names(context, known.current)] }),
          WORDS.of([]),
          LINES.of([]),
          EditorView.theme(THEME),
          EditorView.updateListener.of((update) => {
            const isOurs = update.transactions.some((each) => each.annotation(OUTSIDE));
            if (update.docChanged && !isOurs) {
              first.current = update.state.doc.toString();
              changed.current(first.current);
            }
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, nonce, isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    first.current = value;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({
      changes: { from: 0, to: editor.state.doc.length, insert: value },
      annotations: OUTSIDE.of(true),
    });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({ effects: WORDS.reconfigure(colours(language)) });
  }, [language]);
  useEffect(() => {
    view.current?.dispatch({ effects: LINES.reconfigure(marked(wrong)) });
  }, [wrong]);
  return <div ref={frame} className={styles.editor} />;
}

const THEME = {
  ...COMPLETION_THEME,
  ".cm-scroller": { font: "var(--code, 12px / 18px var(--mono))", fontFamily: "var(--mono)" },
  ".cm-gutters": { border: "0", backgroundColor: "transparent", color: "var(--text-3)" },
};

function marked(lines: readonly number[]) {
  const mark = Decoration.line({ class: styles.wrong ?? "" });
  return EditorView.decorations.of((editor) => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const line of lines.toSorted((one, other) => one - other)) {
      if (line > editor.state.doc.lines) continue;
      const { from } = editor.state.doc.line(line);
      builder.add(from, from, mark);
    }
    return builder.finish();
  });
}

/** The inputs behind `params.` or in `params["…"]`. */
function names(context: CompletionContext, inputs: readonly CodeName[]) {
  const open = context.matchBefore(/params(?:\.|\[["'])\w*/);
  if (!open) return null;
  const typed = /\w*$/.exec(open.text)?.[0] ?? "";
  return {
    from: open.to - typed.length,
    options: inputs.map(({ name, note }) => ({ label: name, detail: note })),
    validFor: /^\w*$/,
  };
}
