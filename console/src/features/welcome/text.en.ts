export const text = {
  title: "Welcome to Coterie",
  why: "This link signs you in once. Choose how others see you, and a password: from now on you sign in with it and the name of your account, which is admin for the first one.",
  whyBare: "This link signs you in once. Choose how others see you.",
  name: "Name shown to others",
  password: "Password",
  providersWhy:
    "Signs you in with the account that belongs to you there. This link can then still be used.",
  submit: "Begin",
  noTicket: "This address lacks its link",
  noTicketWhy: "Open the whole link that the server printed, or make another one with:",
  spent: "This link is used up",
  spentWhy: "A link works once, for 30 minutes. Create another one with:",
  signIn: "Go to sign-in",
  invited: (workspace: string) => `Join ${workspace}`,
  invitedAs: (role: string) => `You are invited to this workspace. Your role: ${role}.`,
  noOffer: "This invitation leads nowhere",
  noOfferWhy: "It is used up, revoked or too old. Ask whoever sent it for another one.",
  signedInAs: (name: string) => `You are signed in as ${name}.`,
  join: "Join workspace",
  account: "Account name",
  accountHint: "4 to 20 letters, digits, dots, hyphens: you sign in with it.",
  register: "Create account and join",
  haveAccount: "You have an account already?",
  needAccount: "Accounts are made by administrators here. Sign in with yours to join.",
};

export type Text = typeof text;
