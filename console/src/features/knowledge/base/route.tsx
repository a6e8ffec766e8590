import { createLazyRoute } from "@tanstack/react-router";
import { BaseScreen } from "./base";
import { baseText } from "./text";

export const text = baseText;
export const route = createLazyRoute("/shell/w/$workspaceId/knowledge/$baseId")({
  component: BaseScreen,
});
