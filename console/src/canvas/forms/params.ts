import type { Json } from "../document/read";
import { at, items, textOf } from "../document/read";
import type { Path, Value } from "../document/tree";
import { type FieldType, field } from "../model/field";
import type { Edit } from "./edit";
import { literalInput } from "./input";

/** Settings that the format keeps as a list of named literals. */
export function paramsOf(edit: Edit, path: Path) {
  const list = edit.at(path);
  const index = (name: string) =>
    items(list).findIndex((each) => textOf(at(each, ["name"])) === name);
  const value = (name: string): Value | undefined =>
    at(items(list)[index(name)], ["input", "value", "content"]);
  return {
    value,
    /** Where one of them stands, or would. */
    place: (name: string): Path => {
      const place = index(name);
      return place >= 0 ? [...path, place] : [...path, name];
    },
    text: (name: string) => textOf(value(name)),
    unset: (name: string): void => {
      const place = index(name);
      if (place >= 0) edit.removeAt(path, place);
    },
    set: (name: string, type: FieldType, content: Json): void => {
      const place = index(name);
      if (place >= 0) edit.set([...path, place, "input", "value", "content"], content);
      else edit.add(path, { name, input: literalInput(field("", type), content) });
    },
  };
}
