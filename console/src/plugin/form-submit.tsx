import { createPortal } from "react-dom";
import { Button } from "../ui/button/button";

type Props = {
  form: string;
  /** Where a dialog has its buttons; else the button stands below the form. */
  within: HTMLElement | null | undefined;
  isReady: boolean;
  isPending: boolean;
  children: string;
};

/** Sends a form of a page, or of a dialog that has its buttons at its end. */
export function FormSubmit({ form, within, isReady, isPending, children }: Props) {
  const button = (
    <Button kind="primary" type="submit" form={form} disabled={!isReady} isLoading={isPending}>
      {children}
    </Button>
  );
  return within === undefined ? <div>{button}</div> : within && createPortal(button, within);
}
