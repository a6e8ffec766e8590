import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import { toasts } from "./toasts";
import styles from "./toast.module.css";

const MOST = 3;
const SHOWN_MS = 6000;

/** Place at the bottom right where short notices appear. */
export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Base.Provider toastManager={toasts} limit={MOST} timeout={SHOWN_MS}>
      {children}
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function List() {
  const manager = Base.useToastManager();
  const text = useText(uiText);
  return manager.toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} swipeDirection="right" className={styles.toast}>
      <Base.Title className={styles.title} />
      <Base.Action className={styles.action} />
      <Base.Close aria-label={text.dismiss} className={styles.close}>
        <X size={14} />
      </Base.Close>
    </Base.Root>
  ));
}
