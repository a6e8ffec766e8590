import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { useTold } from "../../../ui/error-state/reasons";
import type { Mark } from "../grid/data-grid";
import { type Target, useUpdateCell } from "./queries";
import { cellOf, cellText, type Field, problemOf, type Row } from "./rules";
import { tableText } from "./text";

/** Cells with what is typed into them: shown at once, sent, and kept where they are refused. */
export function useCells(
  target: Target,
  fields: readonly Field[],
  rowAt: (index: number) => Row | undefined,
) {
  const text = useText(tableText);
  const told = useTold();
  const update = useUpdateCell(target);
  const [marks, setMarks] = useState<ReadonlyMap<string, Mark>>(new Map());
  const keyAt = (index: number, name: string) => `${String(rowAt(index)?.["id"])} ${name}`;
  function mark(key: string, next: Mark | undefined): void {
    setMarks((before) => {
      const after = new Map(before);
      if (next) after.set(key, next);
      else after.delete(key);
      return after;
    });
  }
  function edit(index: number, name: string, typed: string): void {
    const field = fields.find((each) => each.name === name);
    const id = rowAt(index)?.["id"];
    if (!field || typeof id !== "string") return;
    const key = keyAt(index, name);
    const wrong = problemOf(field, typed);
    if (wrong) {
      mark(key, { text: typed, problem: text.cellProblems[wrong](name) });
      return;
    }
    mark(key, { text: typed });
    update.mutate(
      { id, values: { [name]: cellOf(field, typed) } },
      {
        onSuccess: () => mark(key, undefined),
        onError: (error) => {
          const message = failureOf(error)?.message;
          mark(key, { text: typed, problem: message ? told("", message) : text.cellFailed });
        },
      },
    );
  }
  return {
    textAt: (index: number, name: string) => {
      const row = rowAt(index);
      return row && cellText(row[name]);
    },
    markAt: (index: number, name: string) => marks.get(keyAt(index, name)),
    edit,
    problem: [...marks.values()].find((each) => each.problem)?.problem,
  };
}
