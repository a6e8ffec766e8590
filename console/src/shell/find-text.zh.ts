import type { Text } from "./find-text.en";

export const text = {
  groups: { do: "执行", open: "前往", found: "找到", recent: "最近打开" },
  begin: {
    agent: "新建智能体",
    workflow: "新建工作流",
    canvas: "导入画布",
    base: "新建知识库",
    plugin: "导入插件",
  },
  nothing: "没有找到",
  nothingWhy: "换一个更短的词，或者输入页面名称。",
  themes: { system: "主题跟随系统", light: "使用浅色主题", dark: "使用深色主题" },
  language: (name: string) => `切换到 ${name}`,
  workspace: (name: string) => `打开空间“${name}”`,
  signOut: "退出登录",
  shortcuts: "键盘快捷键",
} satisfies Text;
