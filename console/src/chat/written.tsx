import { type ComponentProps, lazy, Suspense } from "react";
import styles from "./written.module.css";

const parts = () => import("./said");
const Said = lazy(async () => ({ default: (await parts()).Said }));

/** Fetches the reader of Markdown, which no chat needs before its first answer. */
export function prepareWritten(): void {
  void parts();
}

/** A text in Markdown; as it is until the reader for it is here. */
export function Written(props: ComponentProps<typeof Said>) {
  return (
    <Suspense fallback={<p className={styles.plain}>{props.text}</p>}>
      <Said {...props} />
    </Suspense>
  );
}
