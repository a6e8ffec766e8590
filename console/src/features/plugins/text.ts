import { Catalogue } from "../../text/catalogue";
import type { Text } from "./text.en";

export const pluginsText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
