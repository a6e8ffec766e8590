const how: Readonly<Record<string, string>> = {
  "1": "Declares the inputs of the workflow, which callers give. What is required and missing stops the run before it begins; others get their default. A chat flow has USER_INPUT and CONVERSATION_NAME by itself.",
  "2": "The run ends here. It gives either variables, or a text with inputs in {{name}}, which can be sent piece by piece while a model still writes it.",
  "3": "Prompts name inputs as {{name}}; pictures, sound and video among them go to models that understand such. With skills the model calls tools until it answers without one. As JSON the answer fills the declared outputs; one that cannot be read leaves them empty and warns, it does not fail.",
  "4": "Inputs and outputs are those that the tool declares. Where the service asks each person for access, the run waits until it is given.",
  "5": "Define main; its argument has the inputs in args.params, and it returns an object with the outputs. The code runs apart from everything else, with a limit on time and memory; what it prints is in the record of the run.",
  "6": "Searches the chosen bases with the query and gives the slices in the order of their score. The search can be tried with these settings in the base itself.",
  "8": "The first branch that holds is taken, from top to bottom; what no branch holds for leaves by the last output. A value that is missing counts as empty.",
  "9": "Runs another workflow inside this run. Without a version its draft counts, with every change; a version stays what it is. After its inputs changed they have to be taken over here.",
  "12": "One statement on one table; inputs in {{name}} go along as values, never as text of the statement. Test runs work on the draft of the table, published versions on the online side.",
  "13": "Sends a message to whoever runs the workflow while it goes on. In chat flows it can be kept in the conversation.",
  "15": "Joins inputs to a text, lists with what stands between their elements, or splits one text at signs, one after the other.",
  "18": "The run waits until the person answers. Options lead on by an output of their own; fields are read out of a free answer by a model, which asks again where something is missing.",
  "19": "Ends the nearest loop around it; what the running iteration has gathered stays.",
  "20": "Gives variables of the loop around it another value, from the next step on.",
  "21": "Iterations follow each other: for each element, a number of times, or until a break. Variables keep their value from one to the next. Outputs gather a value of each iteration in which its node ran, or take the last value of a variable.",
  "22": "A model reads the query and chooses one of the ways, or the last output where none fits.",
  "27": "Takes the file into the base and goes on once it is accepted, or once it can be found, where that is asked for.",
  "28": "Iterations run side by side, so many at once. Elements beyond the most are left out; the results keep the order of the list. One that fails ends them all.",
  "29": "Ends this iteration and goes on with the next.",
  "30": "The run waits until the person has filled in the form.",
  "31": "For whoever reads the canvas. It is never carried out.",
  "32": "Takes for each group the first value that is there: of branches that were not taken there is none. An empty text counts as a value.",
  "40": "Gives variables of the app or the user another value. Those of the system cannot be changed.",
  "42": "Changes all rows that the conditions hold for; without a condition it is refused. People change their own rows alone, unless the table is shared.",
  "43": "Gives the rows that the conditions hold for, the fields, order and number as chosen.",
  "44": "Deletes all rows that the conditions hold for; without a condition it is refused.",
  "45": "Values of other nodes can stand in the address, headers and body. An answer of 400 and above makes the node fail; only connections that break are tried again. Addresses inside the own network are refused unless the deployment allows them.",
  "46": "Adds one row of the chosen fields; the others stay empty.",
  "58": "Gives the value as JSON in one text.",
  "59": "Reads a text as the declared output says. What does not fit its type becomes empty and warns; what is no JSON fails.",
  "60": "Takes a document and everything that was read of it out of its base.",
};

const conversation =
  "Works on conversations by their name, in an app or an agent: of an agent on the one called Default. Those that the app declares can be neither renamed nor deleted.";

export const text = {
  conversation,
  facts: {
    batch: "Can run once for each element of a list",
    interrupts: "Can wait for an answer",
    reads: "Reads from outside; it changes nothing there",
    streams: "Gives its output piece by piece",
    unsupported: "Cannot run here; it stays in the canvas as it is",
    writes: "Changes something outside: a run that is repeated does so again",
  },
  how,
  outputs: "Outputs",
};

export type Text = typeof text;
