export const text = {
  title: "Welcome to Coterie",
  why: "This link signs you in once. Choose how others see you, and a password: from now on you sign in with it and the name of your account, which is admin for the first one.",
  whyBare: "This link signs you in once. Choose how others see you.",
  insecure: "Plain HTTP: whoever can see the network can read along.",
  name: "Name shown to others",
  password: "Password",
  passwordHint: "At least 12 characters. A few unrelated words are good.",
  tooShort: "At least 12 characters.",
  submit: "Begin",
  noTicket: "This address lacks its link",
  noTicketWhy: "Open the whole link that the server printed, or make another one with:",
  spent: "This link is used up",
  spentWhy: "A link works once, for 30 minutes. Make another one with:",
  signIn: "Go to sign-in",
};

export type Text = typeof text;
