import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import rows from "../forms/rows.module.css";
import { graphOf } from "../model/graph";
import type { Conflict } from "../saving";
import { useCanvas } from "../store";
import { canvasText } from "../text";

/** What two people changed in the same places; everything else is put together already. */
export function ConflictDialog({ conflict }: { conflict: Conflict }) {
  const text = useText(canvasText);
  const graph = useCanvas((state) => graphOf(state.root));
  const places = conflict.clashes.map((each) => {
    const node = graph.nodes.get(each.nodeId);
    const names = each.path.filter((key) => typeof key === "string").slice(-2);
    return [node?.title ?? each.nodeId, ...names].filter(Boolean).join(" · ");
  });
  return (
    <Dialog
      isOpen
      isExplicit
      onClose={() => conflict.settle("mine")}
      title={text.conflict.title}
      description={text.conflict.why}
      actions={
        <>
          <Button onClick={() => conflict.settle("theirs")}>{text.conflict.theirs}</Button>
          <Button kind="primary" onClick={() => conflict.settle("mine")}>
            {text.conflict.mine}
          </Button>
        </>
      }
    >
      <ul className={rows.rows}>
        {[...new Set(places)].slice(0, 20).map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Dialog>
  );
}
