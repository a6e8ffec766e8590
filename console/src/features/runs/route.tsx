import { createLazyRoute } from "@tanstack/react-router";
import { traceText } from "../../trace/text";
import { Runs } from "./runs";
import { runsText } from "./text";

export const text = [runsText, traceText];
export const route = createLazyRoute("/shell/w/$workspaceId/runs")({ component: Runs });
