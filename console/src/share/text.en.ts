export const text = {
  again: "Try again",
  budget: "The budget for this chat is used up.",
  budgetUntil: (time: string) =>
    `The budget for this chat is used up. It answers again on ${time}.`,
  busy: "An answer is still being written. Wait for it, or stop it.",
  close: "Close",
  closed: "This chat is closed",
  closedWhy: "It does not answer any more.",
  current: "Open now",
  defect: "Something went wrong on our side. Try again in a moment.",
  enter: "Open the chat",
  history: "Earlier chats",
  newChat: "New chat",
  noHistory: "Nothing yet. What you ask here is kept for 30 days.",
  openTab: "Open in a new tab",
  password: "Password",
  passwordWhy: "This chat is protected by a password.",
  passwordWrong: "This is not the password.",
  signIn: "Sign in",
  signInWhy: "This chat is for members. Sign in to open it.",
  tooOften: "That was too often. Wait a moment, then try again.",
  unreachable: "The server does not answer. Check the connection and try again.",
  untitled: "Without a title",
  userWhy: "The site around this chat has to say who you are. Load the page again.",
};

export type Text = typeof text;
