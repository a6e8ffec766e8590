import { createLazyRoute } from "@tanstack/react-router";
import { Knowledge } from "./knowledge";
import { knowledgeText } from "./text";

export const text = knowledgeText;
export const route = createLazyRoute("/shell/w/$workspaceId/knowledge")({ component: Knowledge });
