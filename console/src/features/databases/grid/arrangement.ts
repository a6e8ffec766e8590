import { ofScreen } from "../../../session/local";
import { decoded } from "../table/rules";

/** A column of a table, and how wide somebody made it. */
export type ColumnPlace = { key: string; width: number | undefined };

type Keyed = { key: string };

/** Columns of a table in the order that somebody gave them; none where nobody moved any. */
export const gridColumns = {
  read: (tableId: string): readonly ColumnPlace[] =>
    (ofScreen.read(`grid.${tableId}`) ?? "").split(" ").filter(Boolean).map(placeOf),
  write: (tableId: string, places: readonly ColumnPlace[]) =>
    ofScreen.write(
      `grid.${tableId}`,
      places.map(({ key, width }) => `${encodeURIComponent(key)}:${width ?? ""}`).join(" "),
    ),
};

function placeOf(word: string): ColumnPlace {
  const [name = "", digits = ""] = word.split(":");
  const width = /^\d{2,4}$/.test(digits) ? Number(digits) : undefined;
  return { key: decoded(name), width };
}

/** Columns in the order that somebody gave them; others stay behind the one they were made after. */
export function arranged<C extends Keyed>(
  columns: readonly C[],
  places: readonly ColumnPlace[],
): readonly C[] {
  const result = places.flatMap(({ key }) => columns.filter((column) => column.key === key));
  columns.forEach((column, index) => {
    if (result.includes(column)) return;
    const before = result.findIndex(({ key }) => key === columns[index - 1]?.key);
    result.splice(before + 1, 0, column);
  });
  return result;
}

/** How wide somebody made each column; nothing is as wide as there is room. */
export function widthsOf(
  columns: readonly Keyed[],
  places: readonly ColumnPlace[],
): readonly (number | undefined)[] {
  return columns.map(({ key }) => places.find((place) => place.key === key)?.width);
}

/** The places with one column as wide as it shall be. */
export function resized(
  columns: readonly Keyed[],
  places: readonly ColumnPlace[],
  key: string,
  width: number | undefined,
): readonly ColumnPlace[] {
  return placesOf(columns, places).map((place) => (place.key === key ? { key, width } : place));
}

/** The places with one column moved to where another one stands. */
export function moved(
  columns: readonly Keyed[],
  places: readonly ColumnPlace[],
  key: string,
  to: number,
): readonly ColumnPlace[] {
  const all = placesOf(columns, places);
  const rest = all.filter((place) => place.key !== key);
  return [...rest.slice(0, to), ...all.filter((place) => place.key === key), ...rest.slice(to)];
}

function placesOf(columns: readonly Keyed[], places: readonly ColumnPlace[]): ColumnPlace[] {
  const widths = widthsOf(columns, places);
  return columns.map(({ key }, index) => ({ key, width: widths[index] }));
}
