import { expect, test } from "vitest";
import { holdsPage } from "./markup";

test.each([
  "<!doctype html><p>x",
  " <!-- so --> <table><tr><td>1</td></tr></table>",
  "<svg xmlns='http://www.w3.org/2000/svg'/>",
  JSON.stringify({ status: 200, body: { html: "<html><body>x</body></html>" } }),
  JSON.stringify(["a", "<p>x</p>"]),
  JSON.stringify("<div>x</div>"),
])("%j holds a page", (text) => {
  expect(holdsPage(text)).toBe(true);
});

test.each(["", "plain", "a < b", "<note>x</note>", "see <p>x</p>", '{"a": 1}', "{<p>"])(
  "%j holds none",
  (text) => {
    expect(holdsPage(text)).toBe(false);
  },
);
