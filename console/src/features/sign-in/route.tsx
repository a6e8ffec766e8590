import { createLazyRoute } from "@tanstack/react-router";
import { doorText } from "../../session/door-text";
import { SignIn } from "./sign-in";
import { signInText } from "./text";

export const text = [signInText, doorText];
export const route = createLazyRoute("/sign-in")({ component: SignIn });
