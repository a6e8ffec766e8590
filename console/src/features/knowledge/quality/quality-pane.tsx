import { useQuery } from "@tanstack/react-query";
import { ScanText } from "lucide-react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { ErrorState } from "../../../ui/error-state/error-state";
import type { Base } from "../queries";
import { Examined } from "./examined";
import { firstFigure } from "./figure";
import { Figures } from "./figures";
import styles from "./quality-pane.module.css";
import { healthQuery } from "./queries";
import { qualityText } from "./text";

type Props = {
  workspaceId: string;
  base: Base;
  /** Whose slices are shown: a figure, as `figureOf` reads it. */
  of: string | undefined;
  onLook: (of: string) => void;
};

/** How well the slices of a base serve searches, each figure beside the slices behind it. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function QualityPane({ workspaceId, base, of, onLook }: Props) {
  const text = useText(qualityText);
  const { data: health, error, refetch } = useQuery(healthQuery(base.id));
  const failure = failureOf(error);
  if (failure && !health) return <ErrorState failure={failure} onRetry={() => void refetch()} />;
  if (!health) return null;
  if (health.examined === 0)
    return (
      <EmptyState title={text.nothing} drawing={<ScanText size={40} strokeWidth={1} />}>
        {text.nothingWhy}
      </EmptyState>
    );
  const shown = of ?? firstFigure(health);
  return (
    <div className={styles.panes}>
      <section aria-label={text.figures} className={styles.figures}>
        <Figures health={health} chosen={shown} onChoose={onLook} />
      </section>
      <section aria-label={text.list} className={styles.slices}>
        {shown === undefined ? (
          <EmptyState title={text.fine}>{text.fineWhy}</EmptyState>
        ) : (
          <Examined
            key={shown}
            workspaceId={workspaceId}
            baseId={base.id}
            health={health}
            of={shown}
          />
        )}
      </section>
    </div>
  );
}
