import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../button/icon-button";
import { classes } from "../classes";
import { uiText } from "../text";
import styles from "./side-sheet.module.css";

type Props = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  size?: "normal" | "wide";
  /** Lies over this part of the page, from its left side on, instead of over the page's right. */
  within?: HTMLElement | null;
  /** How much of the width of that part it takes, in percent; nothing: all of it. */
  share?: number | undefined;
  /** Beside the title: a state, a button, a menu. */
  actions?: ReactNode;
  children: ReactNode;
};

/** What belongs to the page and lies over its right side; the rest of the page goes on. */
export function SideSheet(props: Props) {
  const { isOpen, onClose, title, size = "normal", within, share, actions, children } = props;
  const text = useText(uiText);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose()}
      modal={false}
      disablePointerDismissal
    >
      <Base.Portal {...(within ? { container: within } : {})}>
        <Base.Popup
          className={classes(styles.popup, within ? styles.within : styles[size])}
          {...(share === undefined ? {} : { style: { width: `${share}%` } })}
        >
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <div className={styles.actions}>
              {actions}
              <IconButton
                size="compact"
                label={text.close}
                icon={<X size={16} />}
                onClick={onClose}
              />
            </div>
          </header>
          <div className={styles.body}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
