/** Numbers of the kinds of nodes that the editor itself has to tell apart. */
export const ENTRY = "1";
export const EXIT = "2";
export const LLM = "3";
export const PLUGIN = "4";
export const CODE = "5";
export const SELECTOR = "8";
export const SUB_WORKFLOW = "9";
export const EMITTER = "13";
export const TEXT = "15";
export const QUESTION = "18";
export const BREAK = "19";
export const SET_VARIABLE = "20";
export const LOOP = "21";
export const INTENT = "22";
export const BATCH = "28";
export const CONTINUE = "29";
export const INPUT = "30";
export const NOTE = "31";
export const AGGREGATOR = "32";
export const HTTP = "45";

export function isComposite(type: string): boolean {
  return type === LOOP || type === BATCH;
}

/** Kinds of the format that no deployment runs. */
const NOT_RUNNABLE = new Set(["11", "14", "16", "17", "23", "24", "25"]);

export function isRunnable(type: string): boolean {
  return !NOT_RUNNABLE.has(type);
}

/** Kinds that a canvas has once, and that are neither copied nor deleted. */
export function isEnd(type: string): boolean {
  return type === ENTRY || type === EXIT;
}

export type Category =
  | "ends"
  | "model"
  | "logic"
  | "knowledge"
  | "database"
  | "outside"
  | "code"
  | "person"
  | "conversation"
  | "note"
  | "unknown";

const CATEGORIES: Readonly<Record<string, Category>> = {
  "1": "ends",
  "2": "ends",
  "3": "model",
  "22": "model",
  "8": "logic",
  "9": "outside",
  "19": "logic",
  "20": "logic",
  "21": "logic",
  "28": "logic",
  "29": "logic",
  "32": "logic",
  "40": "logic",
  "6": "knowledge",
  "27": "knowledge",
  "60": "knowledge",
  "12": "database",
  "42": "database",
  "43": "database",
  "44": "database",
  "46": "database",
  "4": "outside",
  "45": "outside",
  "5": "code",
  "15": "code",
  "58": "code",
  "59": "code",
  "13": "person",
  "18": "person",
  "30": "person",
  "31": "note",
  "37": "conversation",
  "38": "conversation",
  "39": "conversation",
  "51": "conversation",
  "52": "conversation",
  "53": "conversation",
  "54": "conversation",
  "55": "conversation",
  "56": "conversation",
  "57": "conversation",
};

export function categoryOf(type: string): Category {
  return CATEGORIES[type] ?? "unknown";
}
