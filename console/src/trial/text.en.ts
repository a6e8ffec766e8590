export const text = {
  reasoning: "Reasoning",
  waiting: "Waiting for the first token…",
  stopped: "Stopped.",
  firstToken: (time: string) => `First token ${time}`,
  took: (time: string) => `${time} in all`,
  tokens: (read: string, written: string) => `${read} tokens in, ${written} out`,
  estimated: "Tokens are estimated",
  cut: "Cut off at the longest answer",
};

export type Text = typeof text;
