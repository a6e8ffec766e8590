import { useId, useRef } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../button/button";
import { ErrorLine, ErrorWords } from "../error-state/error-line";
import type { Failure } from "../error-state/failure";
import { uiText } from "../text";
import styles from "./picture-choice.module.css";

const KINDS = "image/png,image/jpeg,image/gif,image/webp";

type Props = {
  /** What the buttons say. */
  choose: string;
  remove: string;
  hasPicture: boolean;
  isPending: boolean;
  failure: Failure | undefined;
  onChoose: (file: File) => void;
  onRemove: () => void;
};

/** Beside what is shown with a picture: another one, or none. */
export function PictureChoice(props: Props) {
  const { choose, remove, hasPicture, isPending, failure, onChoose, onRemove } = props;
  const input = useRef<HTMLInputElement>(null);
  const problem = useId();
  return (
    <div className={styles.choice}>
      <div className={styles.buttons}>
        <Button
          size="compact"
          isLoading={isPending}
          aria-describedby={failure ? problem : undefined}
          onClick={() => input.current?.click()}
        >
          {choose}
        </Button>
        {hasPicture && (
          <Button size="compact" kind="quiet" disabled={isPending} onClick={onRemove}>
            {remove}
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        hidden
        aria-label={choose}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) onChoose(file);
        }}
      />
      {failure && (
        <div id={problem}>
          <Problem failure={failure} />
        </div>
      )}
    </div>
  );
}

function Problem({ failure }: { failure: Failure }) {
  const { picture: text } = useText(uiText);
  if (failure.status === 413) return <ErrorWords>{text.tooLarge}</ErrorWords>;
  if (failure.slug === "image_refused") return <ErrorWords>{text.refused}</ErrorWords>;
  return <ErrorLine failure={failure} />;
}
