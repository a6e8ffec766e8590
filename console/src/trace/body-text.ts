import { Catalogue } from "../text/catalogue";
import type { Text } from "./body-text.en";

export const traceBodyText = new Catalogue<Text>({
  en: () => import("./body-text.en"),
  zh: () => import("./body-text.zh"),
});
