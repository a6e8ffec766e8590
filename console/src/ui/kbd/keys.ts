const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);
const SIGNS: Readonly<Record<string, string>> = {
  mod: IS_APPLE ? "⌘" : "Ctrl",
  shift: IS_APPLE ? "⇧" : "Shift",
  enter: "↵",
  escape: "Esc",
  delete: "Del",
  space: "␣",
};

/** The names of the keys of a shortcut such as `mod+k`, as this machine's keyboard has them. */
export function keyNames(keys: string): string[] {
  return keys.split("+").map((key) => SIGNS[key] ?? (key.length === 1 ? key.toUpperCase() : key));
}
