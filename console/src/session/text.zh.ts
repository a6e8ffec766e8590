import type { Text } from "./text.en";

export const text = {
  roles: {
    owner: "所有者",
    admin: "管理员",
    editor: "编辑者",
    operator: "运维",
    viewer: "查看者",
  },
  appearance: {
    language: "语言",
    english: "English",
    chinese: "中文",
    theme: "主题",
    themes: { system: "跟随系统", light: "浅色", dark: "深色" },
  },
  again: {
    title: "请重新登录",
    why: "会话已结束。此页面的内容不会丢失，登录后会继续刚才中断的操作。",
    confirmTitle: "请确认是你本人",
    confirmWhy: "执行此操作需要再次验证身份。",
    password: "密码",
    submit: "登录",
    confirm: "确认",
    useToken: "使用访问令牌",
    token: "访问令牌",
    by: (provider: string) => `使用 ${provider} 登录`,
    wrongPassword: "密码错误。",
  },
  recovery: {
    title: "有未保存的更改",
    why: (when: string) => `页面在 ${when} 关闭时，服务器尚未收到这些更改；本浏览器保留了它们。`,
    differs: "与当前内容的差异",
    changeOf: (field: string) => `“${field}”的更改`,
    take: "恢复更改",
    drop: "丢弃",
  },
} satisfies Text;
