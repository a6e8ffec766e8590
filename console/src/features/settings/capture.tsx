import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { failureOf } from "../../api/list";
import type { AdminTraceSettings } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { TextArea } from "../../ui/text-field/text-area";
import { toast } from "../../ui/toast/toasts";
import { captureQuery, useSetCapture } from "./app-queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";

const CAPTURES = ["deployment", "content", "metadata", "off"] as const;
type Capture = (typeof CAPTURES)[number];

/** How much of runs is kept, and what of it is masked first. */
export function CaptureSettings({ workspaceId }: { workspaceId: string }) {
  const { data, error } = useQuery(captureQuery(workspaceId));
  const failure = failureOf(error);
  if (failure) return <ErrorLine failure={failure} />;
  if (!data) return null;
  return <CaptureForm key={workspaceId} workspaceId={workspaceId} saved={data} />;
}

type Props = { workspaceId: string; saved: AdminTraceSettings };

function CaptureForm({ workspaceId, saved }: Props) {
  const { capture: text } = useText(settingsText);
  const [capture, setCapture] = useState(() => captureOf(saved));
  const [masks, setMasks] = useState(() => saved.redaction.join("\n"));
  const { mutate, isPending, error } = useSetCapture(workspaceId);
  const failure = failureOf(error);
  const redaction = masks.split("\n").filter((line) => line.trim() !== "");
  const isChanged =
    capture !== captureOf(saved) || redaction.join("\n") !== saved.redaction.join("\n");
  return (
    <Form
      isChanged={isChanged}
      isSaving={isPending}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutate(
          { capture: capture === "deployment" ? null : capture, redaction },
          { onSuccess: () => toast(text.saved) },
        );
      }}
    >
      <RadioCards
        label={text.capture}
        value={capture}
        options={CAPTURES.map((value) => ({
          value,
          label: text.captures[value],
          note: text.capturesMean[value],
        }))}
        onChange={setCapture}
      />
      <TextArea
        label={text.masks}
        hint={text.masksHint}
        value={masks}
        onChange={setMasks}
        isCode
        isShort
        spellCheck={false}
      />
      {failure && (
        <ErrorLine failure={failure} labels={{ capture: text.capture, redaction: text.masks }} />
      )}
      <Button type="submit" disabled={!isChanged} isLoading={isPending}>
        {text.save}
      </Button>
    </Form>
  );
}

function captureOf({ capture }: AdminTraceSettings): Capture {
  return CAPTURES.find((each) => each === capture) ?? "deployment";
}
