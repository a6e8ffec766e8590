import { useText } from "../text/catalogue";
import { Dialog } from "../ui/dialog/dialog";
import styles from "./picture.module.css";
import { chatText } from "./text";

type Props = { src: string; name: string; onClose: () => void };

/** A picture as large as the window allows, and the way to it as it is. */
export function PictureDialog({ src, name, onClose }: Props) {
  const text = useText(chatText);
  return (
    <Dialog
      isOpen
      isForReading
      size="huge"
      title={name || text.image}
      onClose={onClose}
      actions={
        <a href={src} target="_blank" rel="noopener" className={styles.whole}>
          {text.openApart}
        </a>
      }
    >
      <div className={styles.large}>
        <img src={src} alt={name} />
      </div>
    </Dialog>
  );
}
