import { createLazyRoute } from "@tanstack/react-router";
import { TableScreen } from "./table-screen";
import { tableText } from "./text";

export const text = tableText;
export const route = createLazyRoute("/shell/w/$workspaceId/databases/$databaseId")({
  component: TableScreen,
});
