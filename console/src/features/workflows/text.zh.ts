import type { Text } from "./text.en";

export const text = {
  title: "工作流",
  search: "搜索工作流",
  columns: {
    name: "名称",
    state: "状态",
    kind: "类型",
    test: "试运行",
    creator: "创建者",
    updated: "更新时间",
  },
  kinds: { workflow: "工作流", chatflow: "对话流" },
  states: {
    draft: "草稿",
    published: (version: string) => (version ? `已发布 ${version}` : "已发布"),
    changed: (version: string) => (version ? `${version} 之后有改动` : "发布后有改动"),
  },
  tests: { passed: "已通过", none: "未运行" },
  filters: {
    state: "状态",
    published: "已发布",
    draft: "未发布",
    kind: "类型",
    order: "排序",
    newest: "最新在前",
    oldest: "最早在前",
  },
  removeVerb: "删除工作流",
  removeTitle: (name: string) => `删除“${name}”？`,
  removeWhy: "草稿和所有版本都会被删除，调用它的智能体和工作流将会出错。",
  removed: (name: string) => `已删除“${name}”`,
  noMatch: "没有符合条件的工作流",
  clearFilters: "清除筛选",
  empty: "还没有工作流",
  emptyWhy:
    "工作流把任务拆成可以绘制的步骤：模型、知识、代码、工具和分支。可以用命令行从本地导入画布：",
} satisfies Text;
