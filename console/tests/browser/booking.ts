import type { Server } from "./server";

const node = (id: string, type: string, inputs: object, outputs: readonly object[] = []) => ({
  id,
  type,
  meta: { position: { x: 0, y: 0 } },
  data: { nodeMeta: { title: `Node ${id}` }, inputs, outputs },
});

const from = (name: string, id: string, output: string, type = "string") => ({
  name,
  input: {
    type,
    value: { type: "ref", content: { source: "block-output", blockID: id, name: output } },
  },
});

const edge = (source: string, target: string, port = "") => ({
  sourceNodeID: source,
  targetNodeID: target,
  ...(port && { sourcePortID: port }),
});

const OPTIONS = [{ name: "Ferry" }, { name: "Bus" }];
const FIELDS = [
  { name: "day", type: "string", required: true },
  { name: "persons", type: "integer", required: true },
];

/** Asks how one goes, and for whom and when. */
const CANVAS = {
  nodes: [
    node("100001", "1", {}, [
      { name: "USER_INPUT", type: "string" },
      { name: "CONVERSATION_NAME", type: "string" },
    ]),
    node(
      "way",
      "18",
      {
        question: "How do you go?",
        answer_type: "option",
        option_type: "static",
        options: OPTIONS,
        limit: 3,
        llmParam: {},
        inputParameters: [],
      },
      [
        { name: "optionId", type: "string" },
        { name: "optionContent", type: "string" },
      ],
    ),
    node("form", "30", { outputSchema: JSON.stringify(FIELDS) }, FIELDS),
    node("900001", "2", {
      terminatePlan: "useAnswerContent",
      content: {
        type: "string",
        value: { type: "literal", content: "{{way}} on {{day}} for {{persons}}." },
      },
      inputParameters: [
        from("way", "way", "optionContent"),
        from("day", "form", "day"),
        from("persons", "form", "persons", "integer"),
      ],
    }),
  ],
  edges: [
    edge("100001", "way"),
    ...["branch_0", "branch_1", "default"].map((port) => edge("way", "form", port)),
    edge("form", "900001"),
  ],
};

/** A published agent for which a workflow answers that asks, by options and by a form. */
export async function bookingFlow(server: Server): Promise<string> {
  const workspace = `/admin/v1/workspaces/${server.workspaceId}`;
  const flow = await server.call<{ id: string }>("POST", `${workspace}/workflows`, {
    name: "book_trip",
    description: "Books a trip.",
    mode: 3,
  });
  await server.call("PUT", `/admin/v1/workflows/${flow.id}/canvas`, { schema: CANVAS });
  await server.call("POST", `/admin/v1/workflows/${flow.id}/publish`, { force: true });
  const agent = await server.call<{ id: string }>("POST", `${workspace}/agents`, {
    name: "Booking",
    mode: "workflow",
    workflow_agent: { workflow_id: flow.id },
  });
  const publish = { connector_ids: ["1024"], description: "test" };
  await server.call("POST", `/admin/v1/agents/${agent.id}/publish`, publish);
  return agent.id;
}
