import { EditorSelection, type EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

type Match = { from: number; to: number };
export type Found = { count: number /** From 1 on; 0 where none is chosen. */; at: number };

/** So many are marked and replaced at once; nobody looks through more. */
const MOST = 2000;

/** Places of some words in a text, whatever their case. */
export function matchesOf(text: string, words: string): readonly Match[] {
  const found: Match[] = [];
  if (!words) return found;
  // Case folding that changed lengths would move the places: only what keeps them is folded.
  const folded = text.toLowerCase();
  const [haystack, needle] =
    folded.length === text.length ? [folded, words.toLowerCase()] : [text, words];
  for (
    let at = haystack.indexOf(needle);
    at >= 0 && found.length < MOST;
    at = haystack.indexOf(needle, at + needle.length)
  )
    found.push({ from: at, to: at + needle.length });
  return found;
}

export const lookFor = StateEffect.define<string>();

type Finding = { words: string; matches: readonly Match[]; marks: DecorationSet };

/** What is looked for in a document, and where it is. */
export function finding(className: string) {
  const mark = Decoration.mark({ class: className });
  const found = (state: EditorState, words: string): Finding => {
    const matches = matchesOf(state.doc.toString(), words);
    const marks = Decoration.set(matches.map(({ from, to }) => mark.range(from, to)));
    return { words, matches, marks };
  };
  const field = StateField.define<Finding>({
    create: (state) => found(state, ""),
    update: (value, transaction) => {
      const asked = transaction.effects.find((effect) => effect.is(lookFor))?.value;
      const words = typeof asked === "string" ? asked : value.words;
      if (words === value.words && !transaction.docChanged) return value;
      return found(transaction.state, words);
    },
    provide: (self) => EditorView.decorations.from(self, ({ marks }) => marks),
  });
  const matches = (state: EditorState) => state.field(field).matches;
  return {
    field,
    told: (state: EditorState): Found => ({
      count: matches(state).length,
      at: matches(state).findIndex((each) => isChosen(state, each)) + 1,
    }),
    /** Chooses the next match after the cursor, or the last one before it; goes around. */
    seek: (view: EditorView, isBack = false): void => {
      const all = matches(view.state);
      const { from, to } = view.state.selection.main;
      const next = isBack
        ? (all.findLast((each) => each.to <= from) ?? all.at(-1))
        : (all.find((each) => each.from >= to) ?? all[0]);
      if (next) choose(view, next);
    },
    /** Replaces the chosen match and goes on; without one only goes on. */
    replace: (view: EditorView, words: string): void => {
      const chosen = matches(view.state).find((each) => isChosen(view.state, each));
      if (chosen)
        view.dispatch({
          changes: { ...chosen, insert: words },
          selection: { anchor: chosen.from + words.length },
        });
      const next = matches(view.state).find((each) => each.from >= view.state.selection.main.to);
      const first = matches(view.state)[0];
      if (next ?? first) choose(view, next ?? first);
    },
    replaceAll: (view: EditorView, words: string): void =>
      view.dispatch({
        changes: matches(view.state).map((each) => ({ ...each, insert: words })),
      }),
  };
}

function isChosen(state: EditorState, { from, to }: Match): boolean {
  const { main } = state.selection;
  return main.from === from && main.to === to;
}

function choose(view: EditorView, match: Match | undefined): void {
  if (!match) return;
  view.dispatch({
    selection: EditorSelection.single(match.from, match.to),
    scrollIntoView: true,
  });
}
