import { createLazyRoute } from "@tanstack/react-router";
import { trialText } from "../../../trial/text";
import { ModelScreen } from "./model-screen";
import { modelText } from "./text";

export const text = [modelText, trialText];
export const route = createLazyRoute("/shell/models/$modelId")({ component: ModelScreen });
