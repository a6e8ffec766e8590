import { createLazyRoute } from "@tanstack/react-router";
import { welcomeText } from "./text";
import { Welcome } from "./welcome";

export const text = welcomeText;
export const route = createLazyRoute("/welcome")({ component: Welcome });
