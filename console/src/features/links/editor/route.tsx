import { createLazyRoute } from "@tanstack/react-router";
import { linksText } from "../text";
import { Editor } from "./editor";

export const text = linksText;
export const route = createLazyRoute("/shell/w/$workspaceId/links/$linkId")({
  component: Editor,
});
