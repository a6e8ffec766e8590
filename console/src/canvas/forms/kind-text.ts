import { Catalogue } from "../../text/catalogue";
import type { Text } from "./kind-text.en";

export const kindText = new Catalogue<Text>({
  en: () => import("./kind-text.en"),
  zh: () => import("./kind-text.zh"),
});
