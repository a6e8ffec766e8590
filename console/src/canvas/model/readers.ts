import { write } from "../document/tree";
import { ancestors, type Graph, type Placed } from "./graph";
import { HTTP } from "./kind";
import { referencesIn } from "./reference";

/** The nodes that read an output of others, or one of all they have; what is inside them aside. */
export function readersOf(
  graph: Graph,
  ids: ReadonlySet<string>,
  output?: string,
): readonly Placed[] {
  return [...graph.nodes.values()].filter((node) => {
    if (ids.has(node.id) || ancestors(graph, node.id).some((each) => ids.has(each))) return false;
    const isRead = referencesIn(node.value).some(
      ({ blockId, segments }) =>
        ids.has(blockId) && (output === undefined || segments[0] === output),
    );
    return isRead || (node.type === HTTP && isNamed(node, ids, output));
  });
}

/** Texts of HTTP nodes name what they read. */
function isNamed(node: Placed, ids: ReadonlySet<string>, output: string | undefined): boolean {
  const said = [...write(node.value).matchAll(/\{\{ *block_output_([^.\s}]+)\.([^.[\s}]+)/g)];
  return said.some(([, id = "", name]) => ids.has(id) && (output === undefined || name === output));
}
