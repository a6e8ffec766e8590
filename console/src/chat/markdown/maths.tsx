import { useLayoutEffect, useRef } from "react";
import temml, { type MathNode } from "temml";
import { useText } from "../../text/catalogue";
import { chatText } from "../text";
import styles from "./maths.module.css";
import type { Formula } from "./notation";
import "./temml.css";

/** A long formula scrolls, by keys too; it is no set of fields, which a linter takes a group for. */
const scrolling = (label: string) => ({ role: "group", tabIndex: 0, "aria-label": label });

/** Draws a formula as MathML, which browsers set by themselves; one that is wrong stays as TeX. */
export function Maths({ tex, isDisplay }: Formula) {
  const text = useText(chatText);
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(drawn(tex, isDisplay)), [tex, isDisplay]);
  if (!isDisplay) return <span ref={box} />;
  return <span ref={box} {...scrolling(text.formula)} className={styles.display} />;
}

function drawn(tex: string, isDisplay: boolean): Node {
  const options = { displayMode: isDisplay, annotate: true, throwOnError: true };
  try {
    const tree = temml.__renderToMathMLTree(tex, options);
    tidy(tree);
    return tree.toNode();
  } catch {
    const wrong = document.createElement("code");
    wrong.className = styles.wrong ?? "";
    wrong.textContent = tex;
    return wrong;
  }
}

/** Styles that stand in attributes, which the policy of the page refuses, become properties. */
function tidy({ attributes, style, children }: MathNode): void {
  const written = attributes?.["style"];
  if (attributes && written !== undefined) {
    delete attributes["style"];
    for (const rule of style ? written.split(";") : []) {
      const [name = "", value = ""] = rule.split(":").map((part) => part.trim());
      if (style && name) style[name] = value;
    }
  }
  children?.forEach(tidy);
}
