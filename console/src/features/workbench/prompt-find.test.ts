// @vitest-environment happy-dom
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { expect, test } from "vitest";
import { finding, lookFor, matchesOf } from "./prompt-find";

test("words are found whatever their case, side by side and never twice", () => {
  expect(matchesOf("Sea, sea and SEA", "sea").map(({ from }) => from)).toEqual([0, 5, 13]);
  expect(matchesOf("aaaa", "aa")).toHaveLength(2);
  expect(matchesOf("anything", "")).toEqual([]);
});

test("letters that grow when they are folded do not move the places", () => {
  expect(matchesOf("İstanbul, Istanbul", "Istanbul")).toEqual([{ from: 10, to: 18 }]);
});

function opened(doc: string, words: string) {
  const find = finding("match");
  const view = new EditorView({ state: EditorState.create({ doc, extensions: [find.field] }) });
  view.dispatch({ effects: lookFor.of(words) });
  return { find, view };
}

test("going on ends at the first again, going back at the last", () => {
  const { find, view } = opened("one two one", "one");
  const seen = () => find.told(view.state).at;
  find.seek(view);
  expect(find.told(view.state)).toEqual({ count: 2, at: 1 });
  find.seek(view);
  expect(seen()).toBe(2);
  find.seek(view);
  expect(seen()).toBe(1);
  find.seek(view, true);
  expect(seen()).toBe(2);
});

test("one match is replaced after the other, or all of them at once", () => {
  const { find, view } = opened("one two one", "one");
  find.seek(view);
  find.replace(view, "1");
  expect(view.state.doc.toString()).toBe("1 two one");
  expect(find.told(view.state)).toEqual({ count: 1, at: 1 });
  find.replaceAll(view, "one one");
  expect(view.state.doc.toString()).toBe("1 two one one");
});
