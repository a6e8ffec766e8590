import { type Field, field } from "../model/field";

/** What a value is, seen as one: a declared field that it fits. */
export function fieldFrom(name: string, value: unknown): Field {
  if (typeof value === "boolean") return field(name, "boolean");
  if (typeof value === "number") return field(name, Number.isInteger(value) ? "integer" : "float");
  if (Array.isArray(value)) return field(name, "list", { item: itemOf(value) });
  if (typeof value === "object" && value !== null)
    return field(name, "object", { fields: fieldsFrom(value) });
  return field(name, "string");
}

/** The members of an object, each as what its value is. */
export function fieldsFrom(value: object): readonly Field[] {
  return Object.entries(value)
    .filter(([name]) => name !== "")
    .map(([name, each]) => fieldFrom(name, each));
}

/** What all members of a list fit: nothing is known of an empty one. */
function itemOf(values: readonly unknown[]): Field {
  const [first, ...rest] = values
    .filter((each) => each !== null)
    .map((each) => fieldFrom("", each));
  return first ? rest.reduce(joined, first) : field("", "string");
}

function joined(one: Field, other: Field): Field {
  if (one.type === "object" && other.type === "object") {
    const others = new Map(other.fields.map((each) => [each.name, each]));
    const own = new Set(one.fields.map((each) => each.name));
    const fields = one.fields.map((each) => {
      const same = others.get(each.name);
      return same ? joined(each, same) : each;
    });
    return { ...one, fields: [...fields, ...other.fields.filter((each) => !own.has(each.name))] };
  }
  if (one.type === "list" && other.type === "list" && one.item && other.item)
    return { ...one, item: joined(one.item, other.item) };
  if (one.type === other.type) return one;
  const types = new Set([one.type, other.type]);
  const isNumber = types.has("integer") && types.has("float");
  return field(one.name, isNumber ? "float" : "string");
}

/** The new fields, with what people said of those that had the same names before. */
export function keeping(before: readonly Field[], after: readonly Field[]): readonly Field[] {
  const known = new Map(before.map((each) => [each.name, each]));
  return after.map((each) => {
    const old = known.get(each.name);
    if (!old) return each;
    return {
      ...each,
      assistType: old.type === each.type ? old.assistType : 0,
      isRequired: old.isRequired,
      description: old.description,
      fields: keeping(old.fields, each.fields),
      item: each.item && {
        ...each.item,
        fields: keeping(old.item?.fields ?? [], each.item.fields),
      },
    };
  });
}
