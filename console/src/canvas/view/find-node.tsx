import { useText } from "../../text/catalogue";
import { CommandMenu } from "../../ui/command-menu/command-menu";
import { useKindName } from "../kinds";
import { graphOf } from "../model/graph";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import { KindIcon } from "./kind-icon";

type Props = { onGo: (id: string) => void; onClose: () => void };

/** Goes to a node by its name, kind or id. */
export function FindNode({ onGo, onClose }: Props) {
  const text = useText(canvasText);
  const nameOf = useKindName();
  const graph = useCanvas((state) => graphOf(state.root));
  const items = [...graph.nodes.values()].map((node) => ({
    id: node.id,
    label: node.title || node.id,
    hint: `${nameOf(node.type)} · ${node.id}`,
    icon: <KindIcon type={node.type} />,
    run: () => onGo(node.id),
  }));
  return (
    <CommandMenu
      label={text.findNode}
      groups={[{ value: text.nodes, items }]}
      nothing={{ title: text.noSuchNode, why: text.noSuchNodeWhy }}
      onClose={onClose}
    />
  );
}
