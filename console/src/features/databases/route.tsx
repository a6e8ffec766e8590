import { createLazyRoute } from "@tanstack/react-router";
import { Databases } from "./databases";
import { databasesText } from "./text";

export const text = databasesText;
export const route = createLazyRoute("/shell/w/$workspaceId/databases")({ component: Databases });
