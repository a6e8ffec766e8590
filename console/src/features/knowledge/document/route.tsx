import { createLazyRoute } from "@tanstack/react-router";
import { baseText } from "../base/text";
import { DocumentScreen } from "./document-screen";
import { documentText } from "./text";

export const text = [documentText, baseText];
export const route = createLazyRoute(
  "/shell/w/$workspaceId/knowledge/$baseId/documents/$documentId",
)({ component: DocumentScreen });
