import { formatNumber } from "../text/formats";
import type { Text } from "./text.en";

export const text = {
  states: {
    completed: "已完成",
    failed: "失败",
    cancelled: "已停止",
    interrupted: "等待中",
    running: "运行中",
  },
  sources: {
    playground: "控制台",
    api: "API",
    openai: "OpenAI API",
    mcp: "MCP",
    share_link: "分享链接",
    embed: "网页嵌入",
    channel: "渠道",
    trigger: "触发器",
    evaluation: "评测",
    ingest: "导入",
  },
  draft: "草稿",
  published: "已发布",
  tokens: (input: number, output: number) =>
    `输入 ${formatNumber(input)} · 输出 ${formatNumber(output)}`,
} satisfies Text;
