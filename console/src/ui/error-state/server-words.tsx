import { useTold } from "./reasons";

/** What the server said in words alone, in the language of the page. */
export function ServerWords({ message }: { message: string }) {
  return useTold()("", message);
}
