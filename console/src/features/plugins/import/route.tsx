import { createLazyRoute } from "@tanstack/react-router";
import { ImportScreen } from "./import-screen";
import { pluginImportText } from "./text";

export const text = pluginImportText;
export const route = createLazyRoute("/shell/w/$workspaceId/plugins/import")({
  component: ImportScreen,
});
