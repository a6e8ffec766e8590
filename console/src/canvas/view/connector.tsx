import { useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { CommandMenu } from "../../ui/command-menu/command-menu";
import { useKindName } from "../kinds";
import { graphOf } from "../model/graph";
import { type Port, portsOf } from "../model/port";
import { useCanvas } from "../store";
import { canvasText } from "../text";
import type { Text } from "../text.en";
import { useActs } from "./acts";
import { bodyId, connected, END, handleOf, IN } from "./flow-nodes";
import { KindIcon } from "./kind-icon";

type Props = { nodeId: string; onClose: () => void };

/** Connects a node by keys: its port, then what it leads to. */
export function Connector({ nodeId, onClose }: Props) {
  const text = useText(canvasText);
  const nameOf = useKindName();
  const acts = useActs();
  const graph = useCanvas((state) => graphOf(state.root));
  const node = graph.nodes.get(nodeId);
  const title = node?.title ?? "";
  const outputs = node ? portsOf(node).outputs : [];
  const [port, setPort] = useState<Port | undefined>(outputs.length === 1 ? outputs[0] : undefined);
  const hasPort = useRef(outputs.length === 1);
  const from = { id: nodeId, handle: handleOf(port?.id ?? "") };
  const targets = [
    ...[...graph.nodes.values()].map((each) => ({ each, id: each.id, handle: IN })),
    ...(node?.scope
      ? [...graph.nodes.values()]
          .filter((each) => each.id === node.scope)
          .map((each) => ({ each, id: bodyId(each.id), handle: END }))
      : []),
  ];
  const items = port
    ? targets.flatMap(({ each, id, handle }) => {
        const ends = connected(graph, from, { id, handle });
        if (typeof ends === "string") return [];
        return [
          {
            id,
            label: handle === END ? text.card.iterationEnd : each.title,
            hint: nameOf(each.type),
            icon: <KindIcon type={each.type} />,
            run: () => acts.connect(ends),
          },
        ];
      })
    : [];
  if (!port && outputs.length > 1) {
    return (
      <CommandMenu
        key="port"
        label={text.connect.port(title)}
        groups={[
          {
            value: text.connect.ports,
            items: outputs.map((each) => ({
              id: each.id,
              label: portName(each, text),
              icon: <KindIcon type={node?.type ?? ""} />,
              run: () => {
                hasPort.current = true;
                setPort(each);
              },
            })),
          },
        ]}
        nothing={{ title: text.noSuchNode, why: text.noSuchNodeWhy }}
        onClose={() => setTimeout(() => !hasPort.current && onClose())}
      />
    );
  }
  return (
    <CommandMenu
      key="target"
      label={text.connect.target(title)}
      groups={[{ value: text.nodes, items }]}
      nothing={{ title: text.connect.nothing, why: text.connect.nothingWhy }}
      onClose={onClose}
    />
  );
}

function portName(port: Port, text: Text): string {
  switch (port.kind) {
    case "branch":
      return text.connect.branch(port.index + 1);
    case "other":
      return text.card.otherwise;
    case "error":
      return text.card.failed;
    case "plain":
      return text.connect.plain;
  }
}
