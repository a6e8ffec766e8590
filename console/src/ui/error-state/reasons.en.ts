import type { Reasons } from "./reasons";

/** None: the server's own words are English, and say more. */
export const text: Reasons = {};
