import type { Text } from "./text.en";

export const text = {
  title: "提示词",
  search: "搜索提示词",
  create: "新建提示词",
  createVerb: "创建提示词",
  created: (name: string) => `已创建“${name}”`,
  edit: "编辑",
  editTitle: "编辑提示词",
  save: "保存",
  fields: { name: "名称", description: "说明", text: "提示词" },
  columns: { name: "名称", prompt: "提示词", creator: "创建者", updated: "更新时间" },
  copyText: "复制提示词",
  textCopied: "已复制提示词",
  removeVerb: "删除提示词",
  removeTitle: (name: string) => `删除“${name}”？`,
  removeWhy: "已经使用它的智能体会保留原有文本。",
  removed: (name: string) => `已删除“${name}”`,
  noMatch: "没有符合条件的提示词",
  clearFilters: "清除搜索",
  empty: "还没有提示词",
  emptyWhy: "团队写一次、多个智能体共用的文本：语气、规则、回答格式等。",
} satisfies Text;
