import { type FormEvent, useId } from "react";
import { useText } from "../text/catalogue";
import { ErrorLine } from "../ui/error-state/error-line";
import type { Failure } from "../ui/error-state/failure";
import { FileDrop } from "../ui/file/file-drop";
import { Form } from "../ui/form/form";
import { TextArea } from "../ui/text-field/text-area";
import { TextField } from "../ui/text-field/text-field";
import { FormSubmit } from "./form-submit";
import styles from "./forms.module.css";
import { pluginImportText } from "./text";

const DOCUMENTS = ".json,.yaml,.yml,.txt,application/json,application/yaml,text/yaml,text/plain";
const EXAMPLES = {
  document: "curl https://api.example.com/v1/weather?city=Paris",
  address: "https://api.example.com/openapi.json",
};

type Props = {
  kind: "document" | "address";
  value: string;
  onChange: (value: string) => void;
  isPending: boolean;
  failure: Failure | undefined;
  onReview: (value: string) => void;
  /** The place of the button, in a dialog. */
  buttonIn?: HTMLElement | null;
};

/** A description of a service: pasted, dropped, or at an address. */
export function SourceForm(props: Props) {
  const { kind, value, onChange, isPending, failure, onReview, buttonIn } = props;
  const text = useText(pluginImportText);
  const form = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (value.trim()) onReview(value);
  }
  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    const words = await file.text();
    onChange(words);
    onReview(words);
  }
  return (
    <Form
      id={form}
      isChanged={value.trim() !== ""}
      isSaving={isPending}
      onSubmit={submit}
      className={styles.form}
    >
      {kind === "document" ? (
        <>
          <FileDrop
            label={text.drop}
            hint={text.dropHint}
            accept={DOCUMENTS}
            isSingle
            isDisabled={isPending}
            onFiles={([file]) => void take(file)}
          />
          <TextArea
            label={text.paste}
            value={value}
            onChange={onChange}
            placeholder={EXAMPLES.document}
            rows={10}
            isCode
            spellCheck={false}
          />
        </>
      ) : (
        <TextField
          label={text.address}
          hint={text.addressHint}
          type="url"
          value={value}
          onChange={onChange}
          placeholder={EXAMPLES.address}
          autoComplete="off"
          required
          autoFocus
        />
      )}
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{
            openapi: text.paste,
            data: text.paste,
            manifest: text.paste,
            url: text.address,
          }}
        />
      )}
      <FormSubmit form={form} within={buttonIn} isReady={value.trim() !== ""} isPending={isPending}>
        {text.review}
      </FormSubmit>
      <p className={styles.note}>{text.reviewNote}</p>
    </Form>
  );
}
