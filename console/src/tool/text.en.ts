export const text = {
  title: "Test call",
  mode: "How arguments are given",
  form: "Form",
  json: "JSON",
  arguments: "Arguments",
  noArguments: "The tool takes no arguments.",
  noObject: "Arguments are a JSON object.",
  nothing: "None",
  wrong: (names: string) => `Not of its type: ${names}`,
  verb: "Call",
  saveAndCall: "Save and call",
  real: "The call is real: it changes what the service holds.",
  worked: "Worked",
  failed: "Failed",
  status: (code: number) => `Status ${code}`,
  sent: "Request as sent",
  read: "What the model reads",
  raw: "Answer as it came",
  takeSchema: "Take schema from the answer",
  connect: "Connect your account",
};

export type Text = typeof text;
