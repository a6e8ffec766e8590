import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { setInNode } from "../commands/nodes";
import { insert, moveItem, removeItem } from "../document/edit";
import { at, type Json, toJson } from "../document/read";
import type { Path, Value } from "../document/tree";
import { graphOf, type Placed } from "../model/graph";
import { INPUT } from "../model/kind";
import { useCanvas, useCanvasStore } from "../store";
import { canvasText } from "../text";

export type Edit = {
  readonly isReadOnly: boolean;
  /** What stands at a place of the node. */
  readonly at: (path: Path) => Value | undefined;
  /** Sets it, or takes it away; steps at one place that follow quickly are one. */
  readonly set: (path: Path, json: Json | undefined) => void;
  readonly add: (path: Path, json: Json) => void;
  readonly removeAt: (path: Path, index: number) => void;
  readonly moveAt: (path: Path, from: number, to: number) => void;
  readonly change: (label: string, change: (root: Value) => Value, field?: string) => void;
};

/** A form keeps its fields a second time, as text; both have to say the same. */
function withFormSchema(root: Value, id: string): Value {
  const node = graphOf(root).nodes.get(id);
  if (node?.type !== INPUT) return root;
  const outputs = at(node.value, ["data", "outputs"]);
  const said = outputs ? JSON.stringify(toJson(outputs)) : "[]";
  return setInNode(root, id, ["data", "inputs", "outputSchema"], said);
}

/** Reads and changes one node from its form. */
export function useEdit(node: Placed): Edit {
  const store = useCanvasStore();
  const text = useText(canvasText);
  const isReadOnly = useCanvas((state) => state.isReadOnly);
  return useMemo(() => {
    const { id, title } = node;
    const label = text.steps.edit(title);
    const { apply: applied } = store.getState();
    const apply: typeof applied = (said, change, options) =>
      applied(said, (root) => withFormSchema(change(root), id), options);
    const inNode = (act: (root: Value, path: Path) => Value, path: Path) => (root: Value) => {
      const now = graphOf(root).nodes.get(id);
      return now ? act(root, [...now.path, ...path]) : root;
    };
    return {
      isReadOnly,
      at: (path) => at(node.value, path),
      set: (path, json) =>
        apply(label, (root) => setInNode(root, id, path, json), {
          field: `${id}/${path.join("/")}`,
        }),
      add: (path, json) =>
        apply(
          label,
          inNode((root, whole) => {
            const list = at(root, whole);
            return list?.kind === "list"
              ? insert(root, whole, list.items.length, json)
              : setInNode(root, id, path, [json]);
          }, path),
        ),
      removeAt: (path, index) =>
        apply(
          label,
          inNode((root, whole) => removeItem(root, whole, index), path),
        ),
      moveAt: (path, from, to) =>
        apply(
          label,
          inNode((root, whole) => moveItem(root, whole, from, to), path),
        ),
      change: (said, change, field = "") => apply(said, change, { field }),
    };
  }, [store, node, text, isReadOnly]);
}
