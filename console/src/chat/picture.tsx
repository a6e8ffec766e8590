import { lazy, Suspense, useState } from "react";
import { useText } from "../text/catalogue";
import styles from "./picture.module.css";
import { chatText } from "./text";

const PictureDialog = lazy(async () => ({
  default: (await import("./picture-dialog")).PictureDialog,
}));

type Props = { src: string; name: string };

/** A picture of this origin, small where it stands and large once it is pressed. */
export function Picture({ src, name }: Props) {
  const text = useText(chatText);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={text.enlarge(name)}
        className={styles.picture}
        onClick={() => setOpen(true)}
      >
        <img src={src} alt={name} loading="lazy" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <PictureDialog src={src} name={name} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
