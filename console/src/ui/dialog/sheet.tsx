import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import styles from "./sheet.module.css";

type Props = { isOpen: boolean; onClose: () => void; title: string; children: ReactNode };

/** A panel that comes in from the left, over the page. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Sheet({ isOpen, onClose, title, children }: Props) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup aria-label={title} className={styles.popup}>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
