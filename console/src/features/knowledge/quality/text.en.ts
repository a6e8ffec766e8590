import { formatNumber, plural } from "../../../text/formats";

export const text = {
  figures: "Figures",
  slices: (count: number) => plural(count, { one: "# slice", other: "# slices" }),
  youngest: (count: number) => `The newest ${formatNumber(count)} of them are counted here.`,
  flaws: "Worth a look",
  flaw: {
    empty: "Almost empty",
    duplicate: "Said more than once",
    over_long: "Too long",
    never_found: "Never found",
  },
  why: {
    empty: (chars: number) =>
      `Fewer than ${formatNumber(chars)} characters: too little to be found`,
    duplicate: () => "Word for word the same; copies push other slices out of results",
    over_long: (chars: number) =>
      `More than ${formatNumber(chars)} characters: most embedding models read only the beginning`,
    never_found: () => "In no result of a search since they were cut",
  },
  lengths: "Length",
  characters: "characters",
  between: (low: number, high: number | undefined) =>
    high === undefined
      ? `${formatNumber(low)} characters and more`
      : `${formatNumber(low)} to ${formatNumber(high - 1)} characters`,
  bar: (range: string, slices: string) => `${range}: ${slices}`,
  languages: "Languages",
  sampled: (count: number) =>
    plural(count, {
      one: "As its letters tell",
      other: "As letters tell, in a sample of # slices",
    }),
  whole: "As letters tell",
  scripts: {
    zh: "Chinese",
    ja: "Japanese",
    ko: "Korean",
    cyrillic: "Cyrillic script",
    arabic: "Arabic script",
    latin: "Latin script",
    other: "Other, or no letters",
  },
  list: "Slices behind the figure",
  chars: (count: number) => plural(count, { one: "# character", other: "# characters" }),
  hits: (count: number) =>
    count === 0 ? "never found" : plural(count, { one: "found once", other: "found # times" }),
  copies: (count: number) => `${formatNumber(count)} the same`,
  blank: "No text",
  more: "Show more",
  gone: "No slice is like this any more",
  fine: "Nothing stands out",
  fineWhy:
    "No slice is empty, repeated, too long or forgotten. Choose a length or a language to see its slices.",
  nothing: "No slices yet",
  nothingWhy:
    "Import documents; once they are cut into slices, this shows how well they serve searches.",
};

export type Text = typeof text;
