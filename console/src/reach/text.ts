import { Catalogue } from "../text/catalogue";
import type { Text } from "./text.en";

export const reachText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
