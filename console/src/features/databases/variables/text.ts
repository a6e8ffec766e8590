import { Catalogue } from "../../../text/catalogue";
import type { Text } from "./text.en";

export const variablesText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
