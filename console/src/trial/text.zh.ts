import type { Text } from "./text.en";

export const text: Text = {
  reasoning: "思考过程",
  waiting: "正在等待首个 token…",
  stopped: "已停止。",
  firstToken: (time) => `首 token ${time}`,
  took: (time) => `共 ${time}`,
  tokens: (read, written) => `输入 ${read}、输出 ${written} 个 token`,
  estimated: "token 数为估算值",
  cut: "已达最长回答，被截断",
};
