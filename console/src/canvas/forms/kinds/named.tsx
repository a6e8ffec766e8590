import { useText } from "../../../text/catalogue";
import type { Placed } from "../../model/graph";
import { canvasText } from "../../text";
import type { NodeForm } from "../registry";
import styles from "../rows.module.css";

/** Kinds that are set by their inputs alone. */
function NamedForm({ node }: { node: Placed }) {
  const text = useText(canvasText);
  return Number(node.type) < 58 ? (
    <p className={`${styles.section} ${styles.hint}`}>{text.plain.needsApp}</p>
  ) : null;
}

export const form: NodeForm = {
  types: ["37", "38", "39", "51", "52", "53", "54", "55", "56", "57", "58"],
  Form: NamedForm,
  inputs: "fixed",
  outputs: "fixed",
  handlesErrors: true,
};
