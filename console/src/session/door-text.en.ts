import { plural } from "../text/formats";

export const text = {
  by: (provider: string) => `Continue with ${provider}`,
  or: "or",
  insecure: "Plain HTTP: whoever can see the network can read along.",
  password: {
    hint: "At least 12 characters. A few unrelated words are good.",
    short: (missing: number) =>
      plural(missing, { one: "# character more", other: "# characters more" }),
    guessable: "Too easily guessed: take a few words that only you would put together.",
    fair: "Long enough. More words make it better.",
    strong: "Strong",
  },
};

export type Text = typeof text;
