import type { NodeForm } from "../registry";

/** Reading JSON: the declared outputs say what it has to look like. */
function DecodeForm() {
  return null;
}

export const form: NodeForm = {
  types: ["59"],
  Form: DecodeForm,
  inputs: "fixed",
  outputs: "free",
  handlesErrors: true,
};
