import type { Text } from "./text.en";

export const text = {
  title: "图片",
  search: "搜索名称和说明",
  views: { label: "视图", cards: "图片", table: "列表" },
  captioned: { label: "说明", with: "有说明", without: "没有说明" },
  noMatch: "没有符合条件的图片",
  noPicture: "图片尚未就绪",
  noCaption: "还没有说明",
  edit: "编辑说明",
  caption: "说明",
  captionHint: "图片的内容。检索时依据说明和图中文字找到它。",
  save: "保存说明",
  saved: "已保存说明",
  propose: "生成建议",
  proposeWhy: "由模型查看图片并提出说明，保存之前不会生效。",
  read: "图中文字",
  noRead: "未在此图片中读取到文字。",
  hidden: "没有说明，图中也没有文字，因此检索不到此图片。",
  actualSize: "实际大小",
  fit: "适应窗口",
} satisfies Text;
