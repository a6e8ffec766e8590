import { createLazyRoute } from "@tanstack/react-router";
import { traceText } from "../../trace/text";
import { traceScreenText } from "./text";
import { TraceScreen } from "./trace-screen";

export const text = [traceScreenText, traceText];
export const route = createLazyRoute("/shell/w/$workspaceId/runs/$runId")({
  component: TraceScreen,
});
