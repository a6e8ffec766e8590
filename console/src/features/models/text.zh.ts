import type { Text } from "./text.en";

export const text = {
  title: "模型",
  search: "搜索模型",
  columns: {
    name: "名称",
    provider: "提供方",
    type: "类型",
    window: "上下文",
    abilities: "能力",
    source: "配置来源",
    state: "状态",
  },
  types: { llm: "对话", embedding: "向量", rerank: "重排序" },
  sources: {
    packaged: "内置",
    config: "配置文件",
    environment: "环境变量",
    database: "控制台或 API",
  },
  abilities: {
    tools: "可以调用工具",
    vision: "可以看图",
    audio: "可以听声音",
    json: "可以按 JSON Schema 输出",
    reasoning: "先思考再回答",
  },
  states: { default: "默认", vision: "看图默认", on: "启用", off: "已停用" },
  filters: { type: "类型" },
  noMatch: "没有符合条件的模型",
  clearFilters: "清除筛选",
  empty: "没有模型",
  emptyWhy: "请设置 OPENAI_BASE_URL、OPENAI_API_KEY 和 OPENAI_MODEL，或用命令行添加：",
} satisfies Text;
