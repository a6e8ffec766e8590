import { Sparkles } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { TextArea } from "../../../ui/text-field/text-area";
import { toast } from "../../../ui/toast/toasts";
import styles from "./caption-form.module.css";
import { type Image, useProposeCaption, useSetCaption } from "./queries";
import { imageText } from "./text";

const LONGEST = 2000;

type Props = { image: Image; canWrite: boolean; onSaved?: () => void };

/** What a picture is found by: its caption, to be written or proposed, and the text in it. */
export function CaptionForm({ image, canWrite, onSaved }: Props) {
  const text = useText(imageText);
  const { id, dataset_id } = image.document;
  const [draft, setDraft] = useState<string>();
  const caption = draft ?? image.caption;
  const save = useSetCaption(dataset_id);
  const propose = useProposeCaption();
  const failure = failureOf(save.error ?? propose.error);
  function submit(): void {
    save.mutate(
      { id, caption: caption.trim() },
      {
        onSuccess: () => {
          setDraft(undefined);
          toast(text.saved);
          onSaved?.();
        },
      },
    );
  }
  return (
    <Form
      className={styles.form}
      isChanged={caption.trim() !== image.caption}
      isSaving={save.isPending}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        label={text.caption}
        hint={text.captionHint}
        value={caption}
        rows={5}
        maxLength={LONGEST}
        readOnly={!canWrite}
        onChange={setDraft}
      />
      {canWrite && (
        <div className={styles.actions}>
          <Button
            kind="primary"
            type="submit"
            isLoading={save.isPending}
            disabled={caption.trim() === image.caption}
          >
            {text.save}
          </Button>
          <Button
            icon={<Sparkles size={16} />}
            title={text.proposeWhy}
            isLoading={propose.isPending}
            onClick={() =>
              propose.mutate(id, { onSuccess: (proposed) => setDraft(proposed.caption) })
            }
          >
            {text.propose}
          </Button>
        </div>
      )}
      {failure && <ErrorLine failure={failure} labels={{ caption: text.caption }} />}
      {!image.caption && !image.text && <p className={styles.note}>{text.hidden}</p>}
      <section aria-label={text.read} className={styles.read}>
        <h2 className={styles.label}>{text.read}</h2>
        {image.text ? (
          <p className={styles.words}>{image.text}</p>
        ) : (
          <p className={styles.note}>{text.noRead}</p>
        )}
      </section>
    </Form>
  );
}
