import { Catalogue } from "../../text/catalogue";
import type { Text } from "./role-text.en";

export const roleText = new Catalogue<Text>({
  en: () => import("./role-text.en"),
  zh: () => import("./role-text.zh"),
});
