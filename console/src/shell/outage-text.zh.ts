import type { Text } from "./outage-text.en";

export const text = {
  unreachable: "服务器没有响应，当前内容可能已过时；正在自动重试。",
  askNow: "立即重试",
  restarting: "服务器正在重启，你的操作将在重启后自动继续。",
} satisfies Text;
