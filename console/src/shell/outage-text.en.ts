export const text = {
  unreachable:
    "The server does not answer. What you see may be out of date; it is asked again by itself.",
  askNow: "Try now",
  restarting: "The server is restarting. What you did waits for it and goes on by itself.",
};

export type Text = typeof text;
