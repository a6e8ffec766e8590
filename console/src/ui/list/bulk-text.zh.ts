import { formatNumber } from "../../text/formats";
import type { Text } from "./bulk-text.en";

export const text = {
  clear: "清除选择",
  chosen: (count: number) => `已选 ${formatNumber(count)} 项`,
  remove: "删除",
  title: (count: number) => `删除 ${formatNumber(count)} 项？`,
  verb: (count: number) => `删除 ${formatNumber(count)} 项`,
  why: "七天内可以恢复，之后将永久移除。",
  published: (names: string) => `以下已发布，正在对外提供服务：${names}。`,
  removed: (count: number) => `已删除 ${formatNumber(count)} 项`,
  undo: "撤销",
  restored: (count: number) => `已恢复 ${formatNumber(count)} 项`,
  notRestored: "部分内容未能恢复。",
} satisfies Text;
