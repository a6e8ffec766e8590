import type { Text } from "./text.en";

export const text = {
  title: "欢迎使用 Coterie",
  why: "此链接只能登录一次。请设置显示名称和密码：以后用账号名称（首个账号为 admin）和此密码登录。",
  whyBare: "此链接只能登录一次。请设置显示名称。",
  insecure: "当前为明文 HTTP，网络中的其他人可能看到传输内容。",
  name: "显示名称",
  password: "密码",
  passwordHint: "至少 12 个字符，可以用几个互不相关的词。",
  tooShort: "至少需要 12 个字符。",
  submit: "开始使用",
  noTicket: "链接不完整",
  noTicketWhy: "请打开服务器打印的完整链接，或用以下命令重新生成：",
  spent: "此链接已失效",
  spentWhy: "链接只能使用一次，30 分钟内有效。请用以下命令重新生成：",
  signIn: "前往登录",
} satisfies Text;
