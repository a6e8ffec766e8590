import { createLazyRoute } from "@tanstack/react-router";
import { Prompts } from "./prompts";
import { promptsText } from "./text";

export const text = promptsText;
export const route = createLazyRoute("/shell/w/$workspaceId/prompts")({ component: Prompts });
