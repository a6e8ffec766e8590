import { cloneElement } from "react";
import type { Tooltip as Full } from "../tooltip/tooltip";

/** The name as the browser shows it. */
export const Tooltip: typeof Full = ({ label, children }) =>
  cloneElement(children, { title: label });
