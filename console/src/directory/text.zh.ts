import type { Text } from "./text.en";

export const text = {
  types: {
    agent: "智能体",
    workflow: "工作流",
    dataset: "知识库",
    document: "文档",
    plugin: "插件",
    database: "数据库",
    prompt: "提示词",
    member: "成员",
    run: "运行",
    conversation: "会话",
    token: "访问令牌",
  },
} satisfies Text;
