import { ArrowDown, ArrowUp } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { Dialog } from "../../../ui/dialog/dialog";
import { NumberField } from "../../../ui/number/number-field";
import { LEAST_PX, MOST_PX } from "../grid/use-columns-in-sight";
import styles from "./columns-dialog.module.css";
import { tableText } from "./text";

type Props = {
  columns: readonly { key: string; label: string }[];
  widths: readonly (number | undefined)[];
  onResize: (key: string, width: number | undefined) => void;
  onMove: (key: string, to: number) => void;
  onReset: () => void;
  onClose: () => void;
};

/** Where columns stand and how wide they are, without dragging. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ColumnsDialog(props: Props) {
  const { columns, widths, onResize, onMove, onReset, onClose } = props;
  const { columns: text } = useText(tableText);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={text.why}
      actions={
        <>
          <Button onClick={onReset}>{text.reset}</Button>
          <Button kind="primary" onClick={onClose}>
            {text.done}
          </Button>
        </>
      }
    >
      <ol className={styles.columns}>
        {columns.map(({ key, label }, index) => (
          <li key={key} className={styles.column}>
            <span className={styles.name}>{label}</span>
            <NumberField
              label={text.widthOf(label)}
              isLabelHidden
              unit="px"
              placeholder={text.auto}
              value={widths[index]}
              min={LEAST_PX}
              max={MOST_PX}
              step={16}
              onChange={(width) => onResize(key, width)}
            />
            <IconButton
              size="compact"
              label={text.before(label)}
              icon={<ArrowUp size={14} />}
              disabled={index === 0}
              onClick={() => onMove(key, index - 1)}
            />
            <IconButton
              size="compact"
              label={text.after(label)}
              icon={<ArrowDown size={14} />}
              disabled={index === columns.length - 1}
              onClick={() => onMove(key, index + 1)}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
