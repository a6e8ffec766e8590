import { useQuery } from "@tanstack/react-query";
import { Maximize2, Minimize2 } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorState } from "../../../ui/error-state/error-state";
import type { Document } from "../base/queries";
import { CaptionForm } from "./caption-form";
import styles from "./image-pane.module.css";
import { Picture } from "./picture";
import { imageQuery } from "./queries";
import { imageText } from "./text";

/** A picture of a base, beside what it is found by. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ImagePane({
  document,
  canWrite,
}: {
  document: Document;
  canWrite: boolean;
}) {
  const text = useText(imageText);
  const { data: image, error, refetch } = useQuery(imageQuery(document.id, document.status));
  const [isLarge, setLarge] = useState(false);
  const failure = failureOf(error);
  if (!image)
    return failure ? <ErrorState failure={failure} onRetry={() => void refetch()} /> : null;
  return (
    <div className={styles.pane}>
      <section aria-label={text.title} className={styles.shown}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, by keys too */}
        <div role="group" tabIndex={0} aria-label={document.name} className={styles.scroll}>
          <Picture image={image} isLarge={isLarge} />
        </div>
        {image.url && (
          <div className={styles.size}>
            <Button
              size="compact"
              icon={isLarge ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
              onClick={() => setLarge(!isLarge)}
            >
              {isLarge ? text.fit : text.actualSize}
            </Button>
          </div>
        )}
      </section>
      <div className={styles.words}>
        <CaptionForm image={image} canWrite={canWrite} />
      </div>
    </div>
  );
}
