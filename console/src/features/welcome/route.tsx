import { createLazyRoute } from "@tanstack/react-router";
import { doorText } from "../../session/door-text";
import { welcomeText } from "./text";
import { Welcome } from "./welcome";

export const text = [welcomeText, doorText];
export const route = createLazyRoute("/welcome")({ component: Welcome });
