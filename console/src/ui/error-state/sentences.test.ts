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
  ["break does not work in the top level.", "此类节点（break）不能用在最外层中。"],
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
    "The image could not be fetched: Port 22 is not allowed for outgoing requests.",
    "无法获取图片：对外请求不允许使用端口 22。",
  ],
  [
    "Not a valid list of string: value: expected list of string, got number.",
    "不是有效的 string 列表：value：应为 string 列表，实际为 number。",
  ],
  [
    "Condition 2 of branch 1: matches: this is no regular expression: a bracket [ is not closed.",
    "分支 1 的条件 2（matches）不是有效的正则表达式：方括号 [ 没有闭合。",
  ],
])("%s", (english, chinese) => {
  expect(reasons.inWords(english)).toBe(chinese);
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
