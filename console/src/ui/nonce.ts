import { createContext } from "react";

/** Lets the few parts that make style sheets of their own pass the policy of the page. */
export const StyleNonce = createContext<string | undefined>(undefined);
