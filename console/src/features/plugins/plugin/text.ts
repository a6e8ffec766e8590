import { Catalogue } from "../../../text/catalogue";
import type { Text } from "./text.en";

export const pluginText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
