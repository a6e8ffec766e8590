import type { Text } from "./text.en";

const NOT_SIGNED_IN: Record<string, string> = {
  expired: "用时过长，或登录是在另一个浏览器中开始的。请重试。",
  failed: "无法使用身份提供方的答复。请联系管理员。",
  unreachable: "身份提供方没有响应。请稍后重试。",
  "no-account": "这里没有您的账号。请联系管理员。",
  disabled: "您的账号已停用。请联系管理员。",
  taken: "已有账号使用您的邮箱，但尚未与该身份提供方关联。请联系管理员。",
};

export const text = {
  title: "登录",
  to: (deployment: string) => `登录 ${deployment}`,
  name: "用户名或邮箱",
  password: "密码",
  token: "访问令牌",
  tokenHint: "需要一个没有任何限制的个人令牌。令牌只用来换取会话，不会保存在这里。",
  remember: "在此设备上保持登录 30 天",
  submit: "登录",
  useToken: "使用访问令牌",
  usePassword: "使用用户名和密码",
  wrong: "用户名或密码错误。",
  wrongToken: "令牌错误、已过期，或权限受限。",
  tooMany: (seconds: number) => `尝试次数过多，请等待 ${Math.ceil(seconds / 60)} 分钟。`,
  firstRun: "还没有人设置过密码。",
  firstRunHow: "请打开服务器启动时打印的链接。也可以用以下命令再生成一个：",
  notSignedIn: (reason: string) =>
    NOT_SIGNED_IN[reason] ?? "登录未完成。请重试，或换一种方式登录。",
  refused: "无法通过此连接登录",
  refusedWhy:
    "当前连接是明文 HTTP，传输内容可能被他人看到。请在前面加一个支持 TLS 的反向代理；如果是封闭网络，可以设置 console.allow_http = true。",
} satisfies Text;
