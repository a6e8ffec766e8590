import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { asApiError } from "../api/queries";
import { type Outage, ServerWatch } from "../api/server-watch";
import { watchServer } from "../api/transport";
import { useText } from "../text/catalogue";
import { Banner } from "../ui/banner/banner";
import styles from "./outage.module.css";
import { outageText } from "./outage-text";

/** Says that the server is away, for as long as it is; then what failed meanwhile is asked anew. */
export function OutageBanner() {
  const text = useText(outageText);
  const queries = useQueryClient();
  const [outage, setOutage] = useState<Outage>();
  const [watch] = useState(
    () =>
      new ServerWatch({
        onChange: setOutage,
        onBack: () =>
          void queries.refetchQueries({
            type: "active",
            predicate: ({ state }) => asApiError(state.error)?.isPassing ?? false,
          }),
      }),
  );
  useEffect(() => {
    watchServer(watch);
    return () => watchServer(undefined);
  }, [watch]);
  if (!outage) return null;
  return (
    <Banner tone="warn">
      {text[outage]}
      {outage === "unreachable" && (
        <button type="button" className={styles.ask} onClick={() => void watch.ask()}>
          {text.askNow}
        </button>
      )}
    </Banner>
  );
}
