import { Fragment } from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import { headOf, type Labels, labelOf } from "./labels";
import { useTold } from "./reasons";

/** What the server said in words alone, in the language of the page. */
export function ServerWords({ message }: { message: string }) {
  return <Sentences said={useTold()("", message)} />;
}

type Props = { said: string; labels?: Labels | undefined };

/** Sentences, each with the field it is about: by its label, or else as programs call it. */
export function Sentences({ said, labels = {} }: Props) {
  const text = useText(uiText);
  return said.split("\n").map((line, at) => {
    const { path, colon, rest } = headOf(line);
    const { label, inner } = labelOf(path, labels);
    const item = /^\[(\d+)\]$/.exec(inner)?.[1];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no other name
      <Fragment key={at}>
        {at > 0 && "\n"}
        {label}
        {item ? text.item(Number(item) + 1) : inner && <code>{inner}</code>}
        {colon}
        {rest}
      </Fragment>
    );
  });
}
