import { createLazyRoute } from "@tanstack/react-router";
import { Models } from "./models";
import { modelsText } from "./text";

export const text = modelsText;
export const route = createLazyRoute("/shell/models")({ component: Models });
