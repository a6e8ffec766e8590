import { Dialog } from "../../../ui/dialog/dialog";
import styles from "./caption-dialog.module.css";
import { CaptionForm } from "./caption-form";
import { Picture } from "./picture";
import type { Image } from "./queries";

type Props = { image: Image; onClose: () => void };

/** A picture beside what it is found by. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CaptionDialog({ image, onClose }: Props) {
  return (
    <Dialog isOpen onClose={onClose} title={image.document.name} size="wide">
      <div className={styles.halves}>
        <div className={styles.frame}>
          <Picture image={image} />
        </div>
        <CaptionForm image={image} canWrite onSaved={onClose} />
      </div>
    </Dialog>
  );
}
