import { Catalogue } from "../../text/catalogue";
import type { Text } from "./text.en";

export const traceScreenText = new Catalogue<Text>({
  en: () => import("./text.en"),
  zh: () => import("./text.zh"),
});
