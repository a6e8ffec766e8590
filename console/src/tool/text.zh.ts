import type { Text } from "./text.en";

export const text = {
  title: "试调用",
  mode: "填写参数的方式",
  form: "表单",
  json: "JSON",
  arguments: "参数",
  noArguments: "此工具不需要参数。",
  noObject: "参数应为一个 JSON 对象。",
  nothing: "不填",
  wrong: (names: string) => `与类型不符：${names}`,
  verb: "调用",
  saveAndCall: "保存并调用",
  real: "这是真实的调用，会修改服务中的数据。",
  worked: "成功",
  failed: "失败",
  status: (code: number) => `状态码 ${code}`,
  sent: "实际发送的请求",
  read: "模型读到的内容",
  raw: "原始响应",
  takeSchema: "用响应生成结构",
  connect: "连接你的账号",
} satisfies Text;
