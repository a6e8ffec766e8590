import { lazy, Suspense, useState } from "react";
import { useWorkspace } from "../session/session";
import { useText } from "../text/catalogue";
import { CopyButton } from "../ui/copy/copy-button";
import { Segmented } from "../ui/segmented/segmented";
import type { Call } from "./calls";
import styles from "./first-calls.module.css";
import { reachText } from "./text";

const NewToken = lazy(() => import("../tokens/new-token"));

type Props = { workspaceId: string; calls: readonly Call[] };

/** How a program calls what was published, in the language that is chosen, and with which token. */
export function FirstCalls({ workspaceId, calls }: Props) {
  const text = useText(reachText);
  const workspace = useWorkspace(workspaceId);
  const [key, setKey] = useState("curl");
  const [isMaking, setMaking] = useState(false);
  const call = calls.find((each) => each.key === key);
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3>{text.calls}</h3>
        <Segmented
          label={text.language}
          value={key}
          options={calls.map((each) => ({ value: each.key, label: each.name }))}
          onChange={setKey}
        />
      </div>
      {call && <Code call={call} />}
      <p className={styles.note}>
        {text.token}{" "}
        {workspace && (
          <button type="button" className={styles.make} onClick={() => setMaking(true)}>
            {text.tokens}
          </button>
        )}
      </p>
      <Suspense>
        {isMaking && workspace && (
          <NewToken workspace={workspace} kind="personal" onClose={() => setMaking(false)} />
        )}
      </Suspense>
    </section>
  );
}

function Code({ call: { name, install, code } }: { call: Call }) {
  return (
    <div className={styles.call}>
      <div className={styles.bar}>
        <code>{install || name}</code>
        <CopyButton kind="quiet" value={code} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <pre tabIndex={0}>{code}</pre>
    </div>
  );
}
