import { createLazyRoute } from "@tanstack/react-router";
import { usageText } from "./text";
import { Usage } from "./usage";

export const text = usageText;
export const route = createLazyRoute("/shell/w/$workspaceId/usage")({ component: Usage });
