import type { Text } from "./door-text.en";

export const text = {
  by: (provider: string) => `使用 ${provider} 登录`,
  or: "或",
  insecure: "当前为明文 HTTP，网络中的其他人可能看到传输内容。",
  password: {
    hint: "至少 12 个字符，可以用几个互不相关的词。",
    short: (missing: number) => `还差 ${missing} 个字符`,
    guessable: "太容易被猜到，请使用几个只有你会放在一起的词。",
    fair: "长度足够，再加几个词会更好。",
    strong: "强度高",
  },
} satisfies Text;
