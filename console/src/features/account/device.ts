const BROWSERS = [
  ["Edge", /Edg\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\//],
  ["Chrome", /Chrome\//],
  ["Safari", /Safari\//],
] as const;
const SYSTEMS = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

/** A browser as people call it, from what it says of itself; else what it says. */
export function deviceName(agent: string): string {
  const found = [BROWSERS, SYSTEMS].map((names) => names.find(([, sign]) => sign.test(agent))?.[0]);
  return found.filter(Boolean).join(" · ") || agent.slice(0, 60);
}
