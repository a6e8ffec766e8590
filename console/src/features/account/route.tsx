import { createLazyRoute } from "@tanstack/react-router";
import { Account } from "./account";
import { accountText } from "./text";

export const text = accountText;
export const route = createLazyRoute("/shell/account")({ component: Account });
