import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { use, useEffect, useRef } from "react";
import { COMPLETION_THEME, marks } from "../../../ui/code/code";
import { StyleNonce } from "../../../ui/nonce";
import styles from "./sql-editor.module.css";
import { KEYWORD, QUOTED, type SqlName, sqlCompletions } from "./sql-words";

type Props = {
  label: string;
  /** What it begins with. */
  first: string;
  names: readonly SqlName[];
  onChange: (sql: string) => void;
  onRun: () => void;
};

/** One statement, with the names of the table offered as one writes. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function SqlEditor({ label, first, names, onChange, onRun }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const begun = useRef(first);
  const known = useRef(names);
  const changed = useRef(onChange);
  const run = useRef(onRun);
  const nonce = use(StyleNonce);
  known.current = names;
  changed.current = onChange;
  run.current = onRun;
  useEffect(() => {
    if (!frame.current) return;
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: begun.current,
        extensions: [
          history(),
          Prec.highest(
            keymap.of([
              {
                key: "Mod-Enter",
                run: () => {
                  run.current();
                  return true;
                },
              },
            ]),
          ),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
          ...(nonce ? [EditorView.cspNonce.of(nonce)] : []),
          autocompletion({ override: [(context) => sqlCompletions(context, known.current)] }),
          marks(KEYWORD, () => styles.keyword ?? ""),
          marks(QUOTED, () => styles.quoted ?? ""),
          EditorView.theme({ ...COMPLETION_THEME, ".cm-scroller": { font: "var(--code)" } }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            begun.current = update.state.doc.toString();
            changed.current(begun.current);
          }),
        ],
      }),
    });
    return () => editor.destroy();
  }, [label, nonce]);
  return <div ref={frame} className={styles.editor} />;
}
