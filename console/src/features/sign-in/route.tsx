import { createLazyRoute } from "@tanstack/react-router";
import { SignIn } from "./sign-in";
import { signInText } from "./text";

export const text = signInText;
export const route = createLazyRoute("/sign-in")({ component: SignIn });
