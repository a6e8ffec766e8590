import { createLazyRoute } from "@tanstack/react-router";
import { doorText } from "../../session/door-text";
import { Account } from "./account";
import { accountText } from "./text";

export const text = [accountText, doorText];
export const route = createLazyRoute("/shell/account")({ component: Account });
