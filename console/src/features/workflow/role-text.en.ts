export const text = {
  cancel: "Cancel",
  description: "What it is for",
  modes: {
    default: "Ask the model",
    custom: "Ask the model, by rules of your own",
    off: "None",
  },
  name: "Name",
  nameHint: "As the people who talk to it see it.",
  prompt: "Rules for the questions",
  questions: "First questions",
  questionsHint: "One on each line.",
  save: "Save the role",
  saved: "The role is saved",
  showsAll: "Show all of them",
  showsAllHint: "Otherwise some are chosen by chance.",
  suggestions: "Questions after an answer",
  title: "Role of the chat flow",
  welcome: "Welcome",
  why: "How it presents itself. It counts at once, for what is published too.",
};

export type Text = typeof text;
