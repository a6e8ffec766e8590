import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import styles from "./toast.module.css";
import { onNotice, takeNotices } from "./toasts";

const manager = Base.createToastManager();
const MOST = 3;
const SHOWN_MS = 6000;
/** What can be taken back stays long enough to be read, thought about and reached. */
const UNDO_MS = 10_000;

/** Place at the bottom right where short notices appear. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Toasts() {
  useEffect(() => {
    function show(): void {
      for (const { title, action } of takeNotices()) {
        manager.add({
          title,
          ...(action && {
            timeout: UNDO_MS,
            actionProps: { children: action.label, onClick: action.run },
          }),
        });
      }
    }
    show();
    return onNotice(show);
  }, []);
  return (
    <Base.Provider toastManager={manager} limit={MOST} timeout={SHOWN_MS}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function List() {
  const { toasts } = Base.useToastManager();
  const text = useText(uiText);
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} swipeDirection="right" className={styles.toast}>
      <Base.Title className={styles.title} />
      <Base.Action className={styles.action} />
      <Base.Close aria-label={text.dismiss} className={styles.close}>
        <X size={14} />
      </Base.Close>
    </Base.Root>
  ));
}
