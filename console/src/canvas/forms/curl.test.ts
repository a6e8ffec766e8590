import { expect, test } from "vitest";
import { readCurl } from "./curl";

test("a command says method, address, headers and body", () => {
  const read = readCurl(`curl -X POST 'https://harbour.example/v1/lines?day=today&q=a%20b' \\
    -H "Authorization: Bearer t0ken" -H 'Accept: application/json' \\
    -H 'Content-Type: application/json' --data-raw '{"name": "It'\\''s"}' --max-time 5 -s`);
  expect(read).toEqual({
    method: "POST",
    url: "https://harbour.example/v1/lines",
    params: [
      ["day", "today"],
      ["q", "a b"],
    ],
    headers: [["Accept", "application/json"]],
    token: "t0ken",
    body: { kind: "JSON", text: '{"name": "It\'s"}' },
  });
});

test.each([
  ["curl harbour.example/x", "GET", { kind: "EMPTY" }],
  ["curl -I https://a.example", "HEAD", { kind: "EMPTY" }],
  [
    "curl -d a=1 -d 'b=x%26y' https://a.example",
    "POST",
    {
      kind: "FORM_URLENCODED",
      fields: [
        ["a", "1"],
        ["b", "x&y"],
      ],
    },
  ],
  [
    "curl --data-urlencode 'q=a b' https://a.example",
    "POST",
    { kind: "FORM_URLENCODED", fields: [["q", "a b"]] },
  ],
  [
    "curl -F name=Mina -F file=@a.png https://a.example",
    "POST",
    {
      kind: "FORM_DATA",
      fields: [
        ["name", "Mina"],
        ["file", "@a.png"],
      ],
    },
  ],
  ["curl --json='{}' https://a.example", "POST", { kind: "JSON", text: "{}" }],
  [
    "curl -XPUT -H 'content-type: text/plain' -d hello https://a.example",
    "PUT",
    { kind: "RAW_TEXT", text: "hello" },
  ],
  ["curl https://a.example --data-raw $'[\"a\\nb\"]'", "POST", { kind: "JSON", text: '["a\nb"]' }],
] as const)("%s", (command, method, body) => {
  expect(readCurl(command)).toMatchObject({ method, body });
});

test("data of a query is a query, and a name with a password a header", () => {
  expect(readCurl("curl -G -u me:s3 -d a=1 'https://a.example?b=2'")).toMatchObject({
    method: "GET",
    params: [
      ["b", "2"],
      ["a", "1"],
    ],
    headers: [["Authorization", "Basic bWU6czM="]],
  });
});

test.each(["", "wget https://a.example", "curl", "curl -X POST"])("%j is no call", (command) => {
  expect(readCurl(command)).toBeUndefined();
});
