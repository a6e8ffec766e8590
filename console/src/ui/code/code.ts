import {
  Decoration,
  type DecorationSet,
  type EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { type Language, patternOf, shadeOf } from "./colours";
import styles from "./colours.module.css";

/** Menu of completions in the look of the page: what the editor brings stands above our layers. */
export const COMPLETION_THEME = {
  "&.cm-focused": { outline: "none" },
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

/** Gives a class to all that a pattern finds. */
export function marks(pattern: RegExp, nameOf: (match: RegExpExecArray) => string) {
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

/** The colours of a language, found line by line. */
export function colours(language: Language) {
  return marks(patternOf(language), (match) => styles[shadeOf(match) ?? ""] ?? "");
}
