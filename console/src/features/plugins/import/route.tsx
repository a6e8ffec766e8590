import { createLazyRoute } from "@tanstack/react-router";
import { pluginImportText } from "../../../plugin/text";
import { ImportScreen } from "./import-screen";

export const text = pluginImportText;
export const route = createLazyRoute("/shell/w/$workspaceId/plugins/import")({
  component: ImportScreen,
});
