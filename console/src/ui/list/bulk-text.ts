import { Catalogue } from "../../text/catalogue";
import type { Text } from "./bulk-text.en";

/** Texts of what is done with chosen rows, which come once rows are chosen. */
export const bulkText = new Catalogue<Text>({
  en: () => import("./bulk-text.en"),
  zh: () => import("./bulk-text.zh"),
});
