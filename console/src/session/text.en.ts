export const text = {
  roles: {
    owner: "Owner",
    admin: "Admin",
    editor: "Editor",
    operator: "Operator",
    viewer: "Viewer",
  },
  appearance: {
    language: "Language",
    english: "English",
    chinese: "中文",
    theme: "Theme",
    themes: { system: "Like the system", light: "Light", dark: "Dark" },
  },
  again: {
    title: "Sign in again",
    why: "Your session has ended. Nothing on this page is lost: what was interrupted goes on after you sign in.",
    confirmTitle: "Confirm that it is you",
    confirmWhy: "This needs you to show once more who you are.",
    password: "Password",
    submit: "Sign in",
    confirm: "Confirm",
    useToken: "Use an access token",
    token: "Access token",
    by: (provider: string) => `Continue with ${provider}`,
    wrongPassword: "The password is wrong.",
  },
  recovery: {
    title: "Changes that were not saved",
    why: (when: string) =>
      `The page ended on ${when} before the server had them; this browser kept them.`,
    differs: "What differs from what is there now",
    changeOf: (field: string) => `Change of ${field}`,
    take: "Take over",
    drop: "Discard",
  },
};

export type Text = typeof text;
