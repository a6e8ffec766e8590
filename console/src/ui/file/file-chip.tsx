import { FileText, RotateCw, X } from "lucide-react";
import { useText } from "../../text/catalogue";
import { formatBytes } from "../../text/formats";
import { IconButton } from "../button/icon-button";
import { classes } from "../classes";
import { uiText } from "../text";
import styles from "./file-chip.module.css";

type Props = {
  name: string;
  bytes?: number | undefined;
  /** Said in small type below the name. */
  note?: string | undefined;
  /** Address of a small picture of it, on this origin. */
  image?: string | undefined;
  /** Part that has arrived, 0 to 1; absent where all is there. */
  progress?: number | undefined;
  error?: string | undefined;
  onRemove?: (() => void) | undefined;
  onRetry?: (() => void) | undefined;
};

/** A file on its way or arrived. */
export function FileChip(props: Props) {
  const { name, bytes, image, progress, error, onRemove, onRetry } = props;
  const text = useText(uiText);
  const facts = [bytes !== undefined && formatBytes(bytes), props.note].filter(Boolean).join(" · ");
  return (
    <div className={classes(styles.chip, error && styles.failed)}>
      {image ? (
        <img src={image} alt="" className={styles.image} />
      ) : (
        <FileText size={16} strokeWidth={1.5} className={styles.icon} />
      )}
      <span className={styles.words}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        {(error || facts) && (
          <span className={styles.note} role={error ? "alert" : undefined}>
            {error ?? facts}
          </span>
        )}
      </span>
      {onRetry && (
        <IconButton
          size="compact"
          label={text.retry}
          icon={<RotateCw size={14} />}
          onClick={onRetry}
        />
      )}
      {onRemove && (
        <IconButton
          size="compact"
          label={text.removeOne(name)}
          icon={<X size={14} />}
          onClick={onRemove}
        />
      )}
      {progress !== undefined && !error && (
        <progress aria-label={name} value={progress} max={1} className={styles.progress} />
      )}
    </div>
  );
}
