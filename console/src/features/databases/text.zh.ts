import type { Text } from "./text.en";

export const text = {
  title: "数据库",
  search: "搜索数据库",
  create: "新建数据表",
  variables: "变量",
  columns: {
    name: "名称",
    fields: "字段",
    agents: "智能体",
    rows: "数据行",
    creator: "创建者",
    updated: "更新时间",
  },
  rows: { own: "每个用户各自的数据", readOnly: "只读", shared: "所有人共享" },
  removeVerb: "删除数据库",
  removeTitle: (name: string) => `删除“${name}”？`,
  removeWhy: "其中的所有数据都会被删除，包括草稿数据和用户数据。",
  removed: (name: string) => `已删除“${name}”`,
  noMatch: "没有符合条件的数据库",
  clearFilters: "清除搜索",
  empty: "还没有数据库",
  emptyWhy: "数据库是智能体和工作流可以读写的表，用来逐行记录订单、笔记等内容。",
} satisfies Text;
