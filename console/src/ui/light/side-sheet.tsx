import { X } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../button/icon-button";
import type { SideSheet as Full } from "../dialog/side-sheet";
import { uiText } from "../text";
import styles from "./light.module.css";

/** The browser's own dialog, at the right side of the page. */
export const SideSheet: typeof Full = ({ isOpen, onClose, title, children }) => {
  const text = useText(uiText);
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    if (!isOpen || !shown) return;
    shown.showModal();
    return () => shown.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a press beside it closes it, as Esc does
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className={styles.sheet}
      onCancel={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <header className={styles.header}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <IconButton size="compact" label={text.close} icon={<X size={16} />} onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
};
