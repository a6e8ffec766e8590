export const text = {
  title: "Welcome to Coterie",
  why: "This link signs you in once. Choose how others see you, and a password for the next time.",
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
