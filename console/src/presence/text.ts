import { Catalogue } from "../text/catalogue";
import type { Text } from "./text.en";

export const presenceText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
