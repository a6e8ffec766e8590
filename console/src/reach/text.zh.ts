import type { Text } from "./text.en";

export const text: Text = {
  calls: "供程序调用",
  language: "语言",
  token: "令牌从 COTERIE_TOKEN 读取。",
  tokens: "新建令牌",
};
