import { createLazyRoute } from "@tanstack/react-router";
import { Links } from "./links";
import { linksText } from "./text";

export const text = linksText;
export const route = createLazyRoute("/shell/w/$workspaceId/links")({ component: Links });
