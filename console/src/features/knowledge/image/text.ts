import { Catalogue } from "../../../text/catalogue";
import type { Text } from "./text.en";

export const imageText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
