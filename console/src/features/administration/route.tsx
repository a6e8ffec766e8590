import { createLazyRoute } from "@tanstack/react-router";
import { Administration } from "./administration";
import { administrationText } from "./text";

export const text = administrationText;
export const route = createLazyRoute("/shell/admin/{-$tab}")({ component: Administration });
