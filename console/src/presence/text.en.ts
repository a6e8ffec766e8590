export const text = {
  title: "Also here",
  here: (names: string) => `Also here: ${names}`,
  more: (count: number) => `+${count}`,
  somebody: "Somebody from outside the workspace",
  why: "Changes of several people are put together; where two touch the same, you are asked.",
};

export type Text = typeof text;
