import { createLazyRoute } from "@tanstack/react-router";
import { ImportScreen } from "./import-screen";
import { importText } from "./text";

export const text = importText;
export const route = createLazyRoute("/shell/w/$workspaceId/knowledge/$baseId/import")({
  component: ImportScreen,
});
