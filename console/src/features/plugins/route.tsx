import { createLazyRoute } from "@tanstack/react-router";
import { Plugins } from "./plugins";
import { pluginsText } from "./text";

export const text = pluginsText;
export const route = createLazyRoute("/shell/w/$workspaceId/plugins")({ component: Plugins });
