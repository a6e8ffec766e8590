import { plural } from "../text/formats";

export const text = {
  answers: (count: number) => plural(count, { one: "# run asks", other: "# runs ask" }),
  unread: (count: number) =>
    plural(count, { one: "# document was not read", other: "# documents were not read" }),
  undelivered: (count: number) =>
    plural(count, { one: "# event was given up", other: "# events were given up" }),
};

export type Text = typeof text;
