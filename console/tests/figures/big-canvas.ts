const COLUMNS = 25;

/** A canvas of texts between a start and an end: rows of nodes, each joined to the next and one further. */
export function bigCanvas(count: number): string {
  const texts = Array.from({ length: count - 2 }, (_, index) => text(index));
  const ids = ["100001", ...texts.map(({ id }) => id), "900001"];
  const joined = ids.slice(1).map((id, index) => line(ids[index] ?? "", id));
  const further = texts.slice(0, Math.floor(count * 0.4)).flatMap(({ id }, index) => {
    const target = texts[index + COLUMNS]?.id;
    return target ? [line(id, target)] : [];
  });
  return JSON.stringify({
    nodes: [start(), ...texts, end(texts.at(-1)?.id ?? "")],
    edges: [...joined, ...further],
    versions: { loop: "v2" },
  });
}

function place(index: number) {
  return { x: 400 + (index % COLUMNS) * 460, y: Math.floor(index / COLUMNS) * 260 };
}

function line(source: string, target: string) {
  return { sourceNodeID: source, targetNodeID: target };
}

function start() {
  return {
    id: "100001",
    type: "1",
    meta: { position: { x: 0, y: 0 } },
    data: {
      nodeMeta: { title: "Start" },
      outputs: [{ type: "string", name: "input", required: false }],
      trigger_parameters: [],
    },
  };
}

function text(index: number) {
  return {
    id: String(200_000 + index),
    type: "15",
    meta: { position: place(index) },
    data: {
      nodeMeta: { title: `Text ${index + 1}` },
      inputs: {
        method: "concat",
        inputParameters: [{ name: "String1", input: reference("100001", "input") }],
        concatParams: [
          { name: "concatResult", input: literal("Row {{String1}}") },
          { name: "arrayItemConcatChar", input: literal(",") },
        ],
      },
      outputs: [{ type: "string", name: "output", required: true }],
    },
  };
}

function end(last: string) {
  return {
    id: "900001",
    type: "2",
    meta: { position: { x: 400 + COLUMNS * 460, y: 0 } },
    data: {
      nodeMeta: { title: "End" },
      inputs: {
        terminatePlan: "returnVariables",
        inputParameters: [{ name: "output", input: reference(last, "output") }],
      },
    },
  };
}

function literal(content: string) {
  return { type: "string", value: { type: "literal", content } };
}

function reference(blockID: string, name: string) {
  return {
    type: "string",
    value: { type: "ref", content: { source: "block-output", blockID, name } },
  };
}
