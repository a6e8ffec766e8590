import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { useText } from "../../text/catalogue";
import { IconButton } from "../button/icon-button";
import { classes } from "../classes";
import { UnsavedInDialog } from "../form/unsaved";
import { uiText } from "../text";
import styles from "./dialog.module.css";

const LeaveQuestion = lazy(() => import("../form/leave-question"));

type Props = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** Buttons, the main one last. */
  actions?: ReactNode;
  size?: "small" | "normal" | "wide" | "huge";
  /** Nothing in it is filled in or pressed first. */
  isForReading?: boolean;
  /** Stays until one of its buttons is pressed. */
  isExplicit?: boolean;
  children?: ReactNode;
};

/** A question or a small form over the page. */
export function Dialog(props: Props) {
  const { isOpen, onClose, title, description, actions, size = "normal", isExplicit } = props;
  const text = useText(uiText);
  const popup = useRef<HTMLDivElement>(null);
  const [unsaved] = useState(() => new Set<object>());
  const [isLeaving, setLeaving] = useState(false);
  function close(): void {
    if (unsaved.size > 0) setLeaving(true);
    else onClose();
  }
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(open) => !open && close()}
      disablePointerDismissal={isExplicit ?? false}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup
          ref={popup}
          {...(props.isForReading ? { initialFocus: popup } : {})}
          className={classes(styles.popup, styles[size])}
        >
          <header className={styles.header}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {!isExplicit && (
              <IconButton
                size="compact"
                label={text.close}
                icon={<X size={16} />}
                onClick={close}
              />
            )}
          </header>
          {description && (
            <Base.Description className={styles.description}>{description}</Base.Description>
          )}
          <UnsavedInDialog value={unsaved}>{props.children}</UnsavedInDialog>
          {actions && <footer className={styles.actions}>{actions}</footer>}
          <Suspense>
            {isLeaving && (
              <LeaveQuestion
                onStay={() => setLeaving(false)}
                onLeave={() => {
                  setLeaving(false);
                  onClose();
                }}
              />
            )}
          </Suspense>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
