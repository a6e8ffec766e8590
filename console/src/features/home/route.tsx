import { createLazyRoute } from "@tanstack/react-router";
import { directoryText } from "../../directory/text";
import { Home } from "./home";
import { homeText } from "./text";

export const text = [homeText, directoryText];
export const route = createLazyRoute("/shell/w/$workspaceId/")({ component: Home });
