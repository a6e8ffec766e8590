import type { Filter } from "./strategy";

/** Fields of a document or slice; `tag` is one tag, named beside it. */
export const FIELDS = [
  "name",
  "tags",
  "tag",
  "create_time",
  "update_time",
  "page",
  "sheet",
  "document_id",
] as const;
export const OPERATORS = [
  "eq",
  "ne",
  "contains",
  "in",
  "nin",
  "gt",
  "gte",
  "lt",
  "lte",
  "set",
  "unset",
] as const;

type FieldName = (typeof FIELDS)[number];
export type OperatorName = (typeof OPERATORS)[number];

/** One comparison as a person writes it. */
export type Rule = { field: FieldName; tag: string; op: OperatorName; value: string };
export type Group = { join: "and" | "or"; rules: readonly Rule[]; groups: readonly Group[] };

export const NO_RULES: Group = { join: "and", rules: [], groups: [] };
export const NEW_RULE: Rule = { field: "name", tag: "", op: "contains", value: "" };

/** Groups within groups that the form shows; deeper ones are edited as JSON. */
const MOST_DEEP = 2;
const TAG = "tags.";

/** A stored filter as rules and groups; nothing where it says more than the form can. */
export function groupOf(filter: unknown, depth = 1): Group | undefined {
  if (filter === undefined || filter === null) return NO_RULES;
  const fields: Filter = Object(filter);
  const alone = ruleOf(fields);
  if (alone) return { ...NO_RULES, rules: [alone] };
  const [join, more] = Object.keys(fields);
  if ((join !== "and" && join !== "or") || more !== undefined || depth > MOST_DEEP) {
    return undefined;
  }
  const parts = fields[join];
  if (!Array.isArray(parts)) return undefined;
  const rules: Rule[] = [];
  const groups: Group[] = [];
  for (const part of parts) {
    const rule = ruleOf(Object(part));
    if (rule) {
      rules.push(rule);
      continue;
    }
    const group = groupOf(part, depth + 1);
    if (!group) return undefined;
    groups.push(group);
  }
  return { join, rules, groups };
}

/** The filter that rules and groups stand for; rules without a value do not count yet. */
export function filterOf(group: Group): Filter | undefined {
  const parts: Filter[] = [
    ...group.rules.filter(isWhole).map(leafOf),
    ...group.groups.flatMap((each): Filter[] => {
      const inner = filterOf(each);
      return inner ? [inner] : [];
    }),
  ];
  if (parts.length === 0) return undefined;
  const [only, second] = parts;
  return only && !second ? only : { [group.join]: parts };
}

export function takesValue(op: OperatorName): boolean {
  return op !== "set" && op !== "unset";
}

function isWhole({ field, tag, op, value }: Rule): boolean {
  return (field !== "tag" || tag.trim() !== "") && (!takesValue(op) || value.trim() !== "");
}

function ruleOf(fields: Filter): Rule | undefined {
  const { field, op, value } = fields;
  if (typeof field !== "string" || typeof op !== "string") return undefined;
  const isTag = field.startsWith(TAG);
  const name = isTag ? "tag" : FIELDS.find((each) => each === field);
  const exists = value === false ? "unset" : "set";
  const operator = op === "exists" ? exists : OPERATORS.find((each) => each === op);
  if (!name || !operator) return undefined;
  const words = Array.isArray(value) ? value.map(String).join(", ") : String(value ?? "");
  return {
    field: name,
    tag: isTag ? field.slice(TAG.length) : "",
    op: operator,
    value: takesValue(operator) ? words : "",
  };
}

function leafOf(rule: Rule): Filter {
  const field = rule.field === "tag" ? TAG + rule.tag.trim() : rule.field;
  if (!takesValue(rule.op)) return { field, op: "exists", value: rule.op === "set" };
  if (rule.op === "in" || rule.op === "nin") {
    const values = rule.value.split(/[,，]/).map((each) => each.trim());
    return { field, op: rule.op, value: values.filter(Boolean).map((each) => told(rule, each)) };
  }
  return { field, op: rule.op, value: told(rule, rule.value.trim()) };
}

/** Pages, and what is compared by size, are numbers where they read as such. */
function told({ field, op }: Rule, value: string): string | number {
  const isSize = op === "gt" || op === "gte" || op === "lt" || op === "lte";
  const isNumber = value !== "" && Number.isFinite(Number(value));
  return isNumber && (field === "page" || (isSize && field === "tag")) ? Number(value) : value;
}
