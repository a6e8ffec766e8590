import type { ComponentType } from "react";
import type { Placed } from "../model/graph";

/** The part of a form that is its kind's own. */
export type NodeForm = {
  readonly types: readonly string[];
  readonly Form: ComponentType<{ node: Placed }>;
  /** How inputs are shown beside it; `fixed`: the kind names them. */
  readonly inputs: "free" | "fixed" | "none";
  readonly outputs: "free" | "fixed" | "none";
  readonly handlesErrors?: boolean;
  readonly hasBatch?: boolean;
};

const modules = import.meta.glob<{ form: NodeForm }>("./kinds/*.tsx", { eager: true });

const forms = new Map(
  Object.values(modules).flatMap(({ form }) => form.types.map((type) => [type, form] as const)),
);

/** The form of a kind; kinds without one get the general form. */
export function formOf(type: string): NodeForm | undefined {
  return forms.get(type);
}
