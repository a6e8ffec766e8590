import type { Text } from "./role-text.en";

export const text = {
  cancel: "取消",
  description: "用途说明",
  modes: {
    default: "由模型生成",
    custom: "按自定义规则由模型生成",
    off: "不提供",
  },
  name: "名称",
  nameHint: "与它对话的人看到的名称。",
  prompt: "生成问题的规则",
  questions: "开场问题",
  questionsHint: "每行一个。",
  save: "保存角色",
  saved: "角色已保存",
  showsAll: "全部显示",
  showsAllHint: "关闭时随机显示其中几个。",
  suggestions: "回答后的建议问题",
  title: "对话流的角色",
  welcome: "开场白",
  why: "它如何介绍自己。保存后立即生效，已发布的版本也一样。",
} satisfies Text;
