import { expect, test } from "vitest";
import { text as reasons, sentences } from "./reasons.zh";
import { inWords } from "./sentences";

test.each([
  ["There are no nodes.", "画布中没有节点。"],
  ["The node has no port 'branch_7'.", "节点没有端口“branch_7”。"],
  ["The node Ask (131) never runs.", "节点 Ask (131) 不会运行。"],
  ["There is no workflow 42.", "没有工作流 42。"],
  ["There is no workflow 42 to call.", "没有可供调用的工作流 42。"],
  ["There is no exit node.", "没有结束节点。"],
  ["The code is missing.", "缺少代码。"],
  ["break does not work in the top level.", "“终止循环”节点不能用在最外层中。"],
  ["name: at most 50.", "name：最多 50。"],
  ["tools[0].name: at most 20 characters.", "tools[0].name：最多 20 个字符。"],
  ["base_url: no query and no fragment.", "base_url：不能有查询参数和片段。"],
  [
    "issuer: expected an https address without query, fragment or name.",
    "issuer：应为 https 地址，不含查询参数、片段和用户名。",
  ],
  ["email: 'x' is no host name.", "email：“x”不是主机名。"],
  ["Unit price: a value is required.", "Unit price：需要填写值。"],
  ["Unknown field `nmae`; did you mean `name`?", "未知的字段 `nmae`；是否应为 `name`？"],
  ["The model gpt broke off.", "模型 gpt 的回答中断。"],
  [
    "The image could not be fetched: Port 22 is not allowed for outgoing requests. The operator can allow files.example:22 in egress.allow_private.",
    "无法获取图片：对外请求不允许使用端口 22。管理员可以在 egress.allow_private 中允许 files.example:22。",
  ],
  [
    "Not a valid list of string: value: expected list of string, got number.",
    "不是有效的文本列表：value：应为文本列表，实际为数字。",
  ],
  [
    "Condition 2 of branch 1: matches: this is no regular expression: a bracket [ is not closed.",
    "分支 1 的条件 2（matches）不是有效的正则表达式：方括号 [ 没有闭合。",
  ],
  ["No document 7.", "没有文档 7。"],
  ["No dataset 'document'.", "没有知识库“document”。"],
  [
    "The workspace may keep 5 files and has 5; delete some of them, or ask the operator to raise limits.workspace_files.",
    "此空间的文件数最多为 5，现有 5；请删除一些，或请管理员提高 limits.workspace_files。",
  ],
  ["limits.output: Expected `int | null`, got `str`", "limits.output：应为整数或空值，实际为文本"],
  ["Object missing required field `name`", "缺少必填的字段 `name`"],
  [
    "The body is not valid JSON: JSON is malformed: expected ':' (byte 5).",
    "请求体不是有效的 JSON：JSON 有误：应为冒号（第 5 字节）。",
  ],
])("%s", (english, chinese) => {
  expect(reasons.inWords(english)).toBe(chinese);
});

test("each sentence of a list is said, and what is unknown stays", () => {
  expect(
    reasons.inWords(
      "The draft has errors.\nWF101 (node Ask (131)): The code is missing.\nWF999: Something new.\nAnd 4 more; validate lists all.",
    ),
  ).toBe(
    "草稿有错误。\nWF101（节点 Ask (131)）：缺少代码。\nWF999: Something new.\n还有 4 个，校验会列出全部。",
  );
  expect(
    reasons.inWords(
      "The table was not changed.\nPrices, row 3, Amount: 'x' is not a number\nrow 4, Name: '' is empty",
    ),
  ).toBe("没有更改表格。\nPrices，第 3 行，Amount：“x”不是数字\n第 4 行，Name：“”为空");
});

test.each(["conflict", "name: no such words.", "", "Line"])("nothing is said of %j", (words) => {
  expect(reasons.inWords(words)).toBeUndefined();
});

test("what a value holds is no pattern of its own", () => {
  const words = { "It is $& and {1}.": "是 {1}。", "no (a|b)": "否" };
  expect(inWords("It is $& and $1.", words)).toBe("是 $1。");
  expect(inWords("no a", words)).toBeUndefined();
});

test("what is very long is not taken apart", () => {
  expect(reasons.inWords(`The node ${"of type in ".repeat(10_000)} never runs.`)).toBeUndefined();
});

test("what anybody can write as a value costs little time", () => {
  const words = Object.keys(sentences).filter((sentence) => sentence.includes("{1}"));
  const hostile = [
    ...words.map((sentence) => sentence.replace(/\{\d\}/g, sentence).slice(0, 600)),
    "a: ".repeat(200),
    "The node The node".repeat(30),
    " of type in: . ".repeat(40),
  ];
  const start = performance.now();
  for (const message of hostile) reasons.inWords(message);
  expect((performance.now() - start) / hostile.length).toBeLessThan(5);
});
