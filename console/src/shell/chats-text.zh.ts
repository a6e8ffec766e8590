import type { Text } from "./chats-text.en";

export const text = {
  title: "选择对话的智能体",
  all: "全部智能体",
  none: "还没有可以对话的智能体。",
} satisfies Text;
