import { Catalogue } from "../text/catalogue";
import type { Text } from "./chats-text.en";

export const chatsText = new Catalogue<Text>({
  en: () => import("./chats-text.en"),
  zh: () => import("./chats-text.zh"),
});
