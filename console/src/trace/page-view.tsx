import { type ReactNode, useState } from "react";
import { useText } from "../text/catalogue";
import { Frame } from "../ui/frame/frame";
import { Segmented } from "../ui/segmented/segmented";
import { traceBodyText } from "./body-text";
import type { Span } from "./layout";
import { holdsPage } from "./markup";
import styles from "./panes.module.css";

type Props = { span: Span; side: "input" | "output"; children: ReactNode };

/** What a step took or gave; where there is HTML or SVG in it, as a page too. */
export function PageView({ span, side, children }: Props) {
  const text = useText(traceBodyText);
  const [view, setView] = useState<"value" | "page">("value");
  if (!holdsPage(span[side] ?? "")) return children;
  const address = [span.run_id, span.id].map(encodeURIComponent).join("/");
  return (
    <div className={styles.paged}>
      <Segmented
        label={text.showAs}
        value={view}
        options={[
          { value: "value", label: text.asValue },
          { value: "page", label: text.asPage },
        ]}
        onChange={setView}
      />
      {view === "value" ? (
        children
      ) : (
        <Frame title={text.asPage} src={`/console/frame/span/${address}?side=${side}`} />
      )}
    </div>
  );
}
