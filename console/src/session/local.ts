/** What this browser remembers for the interface alone; validated when it is read. */
const PREFIX = "coterie.1.";

function read(key: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + key) ?? undefined;
  } catch {
    return undefined; // storage may be switched off
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    return; // the same, or full
  }
}

export const lastWorkspace = {
  read: () => read("workspace"),
  write: (id: string) => write("workspace", id),
};

export const railFolded = {
  read: () => read("rail") === "folded",
  write: (isFolded: boolean) => write("rail", isFolded ? "folded" : "open"),
};

/** Shares of the panes of the workbench, in percent. */
export const workbenchPanes = {
  read: (): readonly number[] | undefined => {
    const shares = (read("workbench") ?? "").split(" ").map(Number);
    const isWhole = shares.length === 3 && Math.abs(shares.reduce((a, b) => a + b, 0) - 100) < 1;
    return isWhole && shares.every((share) => share >= 10) ? shares : undefined;
  },
  write: (shares: readonly number[]) => write("workbench", shares.join(" ")),
};

/** What one screen alone keeps, as a text that only it reads. */
export const ofScreen = { read, write };

/** Whether the first steps in a workspace were put away. */
export const startDone = {
  read: (workspaceId: string) => read(`start.${workspaceId}`) === "done",
  write: (workspaceId: string) => write(`start.${workspaceId}`, "done"),
};

export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

export const density = {
  read: (): Density => (read("density") === "compact" ? "compact" : "comfortable"),
  write: (value: Density) => write("density", value),
};

export const MOTIONS = ["system", "reduced"] as const;
export type Motion = (typeof MOTIONS)[number];

export const motion = {
  read: (): Motion => (read("motion") === "reduced" ? "reduced" : "system"),
  write: (value: Motion) => write("motion", value),
};

export const LETTERS = ["commands", "none"] as const;
export type Letters = (typeof LETTERS)[number];

export const letters = {
  read: (): Letters => (read("letters") === "none" ? "none" : "commands"),
  write: (value: Letters) => write("letters", value),
};

export const SENDINGS = ["enter", "mod-enter"] as const;
export type Sending = (typeof SENDINGS)[number];

export const sending = {
  read: (): Sending => (read("sending") === "mod-enter" ? "mod-enter" : "enter"),
  write: (value: Sending) => write("sending", value),
};

export const POINTINGS = ["trackpad", "mouse"] as const;
export type Pointing = (typeof POINTINGS)[number];

export const pointing = {
  read: (): Pointing => (read("pointing") === "mouse" ? "mouse" : "trackpad"),
  write: (value: Pointing) => write("pointing", value),
};

const MOST_KINDS = 4;

/** Kinds of nodes that were added last, the newest first. */
export const recentKinds = {
  read: (): readonly string[] => (read("kinds") ?? "").split(" ").filter(Boolean),
  add: (kind: string) => {
    const others = recentKinds.read().filter((each) => each !== kind);
    write("kinds", [kind, ...others].slice(0, MOST_KINDS).join(" "));
  },
};

/** Forgets all of it. */
export function forgetLocal(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  }
}
