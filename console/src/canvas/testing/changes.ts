import fc from "fast-check";
import { copied, pasted } from "../commands/clipboard";
import {
  addEdge,
  addNode,
  freshIds,
  freshTitle,
  moveNodes,
  newNode,
  removeEdges,
  removeNodes,
  setInNode,
  splitEdge,
} from "../commands/nodes";
import type { Value } from "../document/tree";
import { canvasLayout } from "../layout/canvas-layout";
import { graphOf } from "../model/graph";
import { placementOf } from "../model/place";

type Change = { readonly kind: number; readonly pick: number; readonly to: number };

/** Any number of changes. */
export const changes = fc.array(
  fc.record({ kind: fc.nat(8), pick: fc.nat(1000), to: fc.integer({ min: -500, max: 500 }) }),
  { minLength: 1, maxLength: 25 },
);

/** One change of a canvas out of all that a person can do. */
export function changed(root: Value, { kind, pick, to }: Change): Value {
  const graph = graphOf(root);
  const ids = [...graph.nodes.keys()];
  const id = ids[pick % ids.length] ?? "";
  const other = ids[(pick + 7) % ids.length] ?? "";
  const node = graph.nodes.get(id);
  const edge = graph.edges[pick % Math.max(graph.edges.length, 1)];
  const [fresh = ""] = freshIds(graph, 1);
  const title = freshTitle(graph, "Text");
  const added = newNode({ id: fresh, type: "15", title, at: { x: to, y: to }, data: {} });
  switch (kind) {
    case 0:
      return moveNodes(root, new Map([[id, { position: { x: to, y: -to } }]]));
    case 1:
      return setInNode(root, id, ["data", "nodeMeta", "title"], `Title ${to}`);
    case 2:
      return addNode(root, node?.scope ?? "", added);
    case 3:
      return removeNodes(root, new Set([id]), to > 0);
    case 4:
      return addEdge(root, node?.scope ?? "", {
        source: id,
        sourcePort: "",
        target: other,
        targetPort: "",
      });
    case 5:
      return edge ? removeEdges(root, new Set([edge.key])) : root;
    case 6:
      return pasted(root, copied(graph, new Set([id, other])), "", { x: to, y: 0 })?.root ?? root;
    case 7:
      return moveNodes(root, canvasLayout(graph, placementOf(graph)));
    default:
      return edge
        ? splitEdge(addNode(root, edge.scope, added), edge.key, fresh, "")
        : setInNode(root, id, ["data", "inputs", "later"], { deep: [to] });
  }
}
