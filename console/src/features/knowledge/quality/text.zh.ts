import { formatNumber } from "../../../text/formats";
import type { Text } from "./text.en";

export const text = {
  figures: "指标",
  slices: (count: number) => `${formatNumber(count)} 个切片`,
  youngest: (count: number) => `这里只统计其中最新的 ${formatNumber(count)} 个。`,
  flaws: "值得检查",
  flaw: {
    empty: "几乎为空",
    duplicate: "内容重复",
    over_long: "过长",
    never_found: "从未命中",
  },
  why: {
    empty: (chars: number) => `不足 ${formatNumber(chars)} 个字符，内容太少，难以检索到`,
    duplicate: () => "内容完全相同，会在结果中挤占其他切片的位置",
    over_long: (chars: number) => `超过 ${formatNumber(chars)} 个字符，多数向量模型只读取开头部分`,
    never_found: () => "切分以来从未出现在检索结果中",
  },
  lengths: "长度",
  characters: "字符",
  between: (low: number, high: number | undefined) =>
    high === undefined
      ? `${formatNumber(low)} 个字符及以上`
      : `${formatNumber(low)} 至 ${formatNumber(high - 1)} 个字符`,
  bar: (range: string, slices: string) => `${range}：${slices}`,
  languages: "语言",
  sampled: (count: number) => `按文字判断，抽样 ${formatNumber(count)} 个切片`,
  whole: "按文字判断",
  scripts: {
    zh: "中文",
    ja: "日文",
    ko: "韩文",
    cyrillic: "西里尔文字",
    arabic: "阿拉伯文字",
    latin: "拉丁文字",
    other: "其他或无文字",
  },
  list: "对应的切片",
  chars: (count: number) => `${formatNumber(count)} 个字符`,
  hits: (count: number) => (count === 0 ? "从未命中" : `命中 ${formatNumber(count)} 次`),
  copies: (count: number) => `${formatNumber(count)} 个相同`,
  blank: "没有文字",
  more: "显示更多",
  gone: "已没有这样的切片",
  fine: "没有明显问题",
  fineWhy: "没有空白、重复、过长或从未命中的切片。选择一种长度或语言，可查看对应的切片。",
  nothing: "还没有切片",
  nothingWhy: "请先导入文档。文档切分后，这里会显示切片是否便于检索。",
} satisfies Text;
