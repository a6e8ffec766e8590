export const text = {
  calls: "For programs",
  language: "Language",
  token: "The token is read from COTERIE_TOKEN.",
  tokens: "Create one",
};

export type Text = typeof text;
