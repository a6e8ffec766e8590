import type { Text } from "./badge-text.en";

export const text = {
  answers: (count: number) => `${count} 次运行等待回复`,
  unread: (count: number) => `${count} 个文档读取失败`,
  undelivered: (count: number) => `${count} 个事件投递失败`,
} satisfies Text;
