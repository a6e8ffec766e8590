import { createLazyRoute } from "@tanstack/react-router";
import { traceBodyText } from "../../trace/body-text";
import { traceText } from "../../trace/text";
import { CompareScreen } from "./compare-screen";

export const text = [traceBodyText, traceText];
export const route = createLazyRoute("/shell/w/$workspaceId/runs/compare")({
  component: CompareScreen,
});
