import type { Text } from "./text.en";

export const text = {
  title: "插件",
  search: "搜索插件",
  import: "导入",
  columns: {
    name: "名称",
    state: "状态",
    kind: "类型",
    tools: "工具",
    users: "智能体",
    call: "最近调用",
    creator: "创建者",
    updated: "更新时间",
  },
  kinds: { http: "HTTP", mcp: "MCP 服务器", local: "客户端", workflow: "工作流" },
  calls: {
    none: "尚无调用",
    worked: "成功",
    failed: "失败",
    status: (code: number) => `状态码 ${code}`,
  },
  filters: { state: "状态", published: "已发布", draft: "未发布" },
  removeVerb: "删除插件",
  removeTitle: (name: string) => `删除“${name}”？`,
  removeWhy: "使用其工具的智能体和工作流将无法再调用它们。",
  removeAllWhy: "使用其工具的智能体和工作流将无法再调用它们。删除后不可恢复。",
  removed: (name: string) => `已删除“${name}”`,
  noMatch: "没有符合条件的插件",
  clearFilters: "清除筛选",
  empty: "还没有插件",
  emptyWhy: "插件为智能体提供工具：可以是用 OpenAPI 描述的 HTTP 服务，也可以是 MCP 服务器。",
} satisfies Text;
