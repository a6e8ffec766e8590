import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { ErrorState } from "../../ui/error-state/error-state";
import { Segmented } from "../../ui/segmented/segmented";
import { Skeleton } from "../../ui/skeleton/skeleton";
import { FigureCard } from "./figure-card";
import { FigureLarge } from "./figure-large";
import styles from "./metrics.module.css";
import { useFigures } from "./queries";
import { operationsText } from "./text";

const page = getRouteApi("/shell/operations/{-$tab}");
const SPANS = { "15m": 900, "1h": 3600, "6h": 21_600, "24h": 86_400 } as const;
const SPAN_NAMES = ["15m", "1h", "6h", "24h"] as const;

/** Figures of all processes together; one place in time is marked in all of them. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Metrics() {
  const { metrics: text } = useText(operationsText);
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const span = SPAN_NAMES.find((each) => each === search.span) ?? "1h";
  const { data, error, refetch } = useFigures(SPANS[span]);
  const failure = failureOf(error);
  const [at, setAt] = useState<number>();
  const large = data?.series.find((each) => each.name === search.figure);
  function set(next: Partial<typeof search>): void {
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  }
  return (
    <div className={styles.page}>
      <div className={styles.tools}>
        <Segmented
          label={text.span}
          value={span}
          options={SPAN_NAMES.map((value) => ({ value, label: text.spans[value] }))}
          onChange={(value) => set({ span: value })}
        />
        <p className={styles.note}>{text.note}</p>
      </div>
      {!data && failure && <ErrorState failure={failure} onRetry={() => void refetch()} />}
      {!data && !failure && <Skeleton width="100%" height={320} />}
      {data && large && (
        <FigureLarge
          figure={large}
          since={data.since}
          stepS={data.step_s}
          at={at}
          onAt={setAt}
          onClose={() => set({ figure: undefined })}
        />
      )}
      {data && (
        <ul className={styles.grid}>
          {data.series.map((figure) => (
            <li key={figure.name}>
              <FigureCard
                figure={figure}
                at={at}
                isLarge={figure === large}
                onAt={setAt}
                onOpen={() => set({ figure: figure === large ? undefined : figure.name })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
