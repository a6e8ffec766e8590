import type { Text } from "./text.en";

export const text = {
  title: "知识库",
  search: "搜索知识库",
  columns: {
    name: "名称",
    state: "状态",
    kind: "类型",
    documents: "文档",
    slices: "切片",
    size: "大小",
    updated: "更新时间",
  },
  kinds: ["文本", "表格", "图片"],
  states: {
    empty: "空",
    ready: "可用",
    off: "已停用",
    reading: (count: number) => `正在读取 ${count} 篇文档`,
    failed: (count: number) => `${count} 篇失败`,
  },
  filters: { kind: "类型" },
  noMatch: "没有符合条件的知识库",
  clearFilters: "清除筛选",
  empty: "还没有知识库",
  emptyWhy: "知识库存放文档，智能体据此回答并注明来源。可以用命令行导入一个文件夹：",
} satisfies Text;
