import { Catalogue } from "../text/catalogue";
import type { Text } from "./shortcut-text.en";

/** Texts of the list of shortcuts, which come with it. */
export const shortcutText = new Catalogue<Text>({
  en: () => import("./shortcut-text.en"),
  zh: () => import("./shortcut-text.zh"),
});
