import { createLazyRoute } from "@tanstack/react-router";
import { Operations } from "./operations";
import { operationsText } from "./text";

export const text = operationsText;
export const route = createLazyRoute("/shell/operations/{-$tab}")({ component: Operations });
