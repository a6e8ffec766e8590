import { memo } from "react";
import { useText } from "../../text/catalogue";
import { CopyButton } from "../../ui/copy/copy-button";
import { coloured, usePart } from "../part";
import { chatText } from "../text";
import styles from "./markdown.module.css";

type Props = {
  language: string;
  value: string;
  /** Whether its end is there: what grows is coloured once, when it is whole. */
  isClosed: boolean;
};

/** Code with its language, a button that copies it, and colours. */
export function CodeBlock({ language, value, isClosed }: Props) {
  const text = useText(chatText);
  return (
    <div className={styles.code}>
      <div data-aside="" className={styles.bar}>
        <span>{language || text.plainCode}</span>
        <CopyButton kind="quiet" label={text.copyCode} value={value} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre tabIndex={0}>
        <code>{isClosed && language ? <Shaded language={language} code={value} /> : value}</code>
      </pre>
    </div>
  );
}

/** Code in its colours, as soon as what knows them is here. */
const Shaded = memo(function Shaded({ language, code }: { language: string; code: string }) {
  const Coloured = usePart(coloured);
  return Coloured ? <Coloured language={language} code={code} /> : code;
});

/** Whether the source of a block of code ends with its fence. */
export function isClosed(source: string): boolean {
  return /\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(source);
}
