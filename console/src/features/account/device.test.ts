import { expect, test } from "vitest";
import { deviceName } from "./device";

test.each([
  [
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36",
    "Chrome · Linux",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/156.0 Safari/537.36 Edg/156.0",
    "Edge · Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) Version/20.0 Mobile Safari/604.1",
    "Safari · iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 15.1; rv:150.0) Gecko/20100101 Firefox/150.0",
    "Firefox · macOS",
  ],
  ["curl/8.9", "curl/8.9"],
  ["", ""],
])("%s is called %s", (agent, expected) => {
  expect(deviceName(agent)).toBe(expected);
});
