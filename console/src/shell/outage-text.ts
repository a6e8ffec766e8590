import { Catalogue } from "../text/catalogue";
import type { Text } from "./outage-text.en";

/** Texts of a server that is away: there before they are needed, for then they cannot be had. */
export const outageText = new Catalogue<Text>({
  en: () => import("./outage-text.en"),
  zh: () => import("./outage-text.zh"),
});
