import { useState } from "react";
import { failureOf } from "../../api/list";
import type { WorkspaceItem } from "../../api/schema";
import { useModelChoices } from "../../retrieval/queries";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Form } from "../../ui/form/form";
import { Select } from "../../ui/select/select";
import { toast } from "../../ui/toast/toasts";
import { useUpdateWorkspace } from "./queries";
import styles from "./settings.module.css";
import { settingsText } from "./text";

type Props = { saved: WorkspaceItem; canManage: boolean };

/** Each says its own name; the first is that of whoever writes. */
const LANGUAGES = ["", "en", "zh"] as const;

/** The model that answers where none is named, and the language of new agents. */
export function Defaults({ saved, canManage }: Props) {
  const { general: text } = useText(settingsText);
  const [model, setModel] = useState(saved.default_model);
  const [language, setLanguage] = useState(saved.language);
  const models = useModelChoices("llm", true);
  const { mutate, isPending, error } = useUpdateWorkspace(saved.id);
  const failure = failureOf(error);
  const isChanged = model !== saved.default_model || language !== saved.language;
  const chosen = models.find(({ value }) => value === model);
  const isGone = model !== "" && models.length > 0 && !chosen;
  return (
    <Form
      isChanged={isChanged}
      isSaving={isPending}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        mutate(
          { default_model: model || null, language: language || null },
          { onSuccess: () => toast(text.saved) },
        );
      }}
    >
      <Combobox
        label={text.defaultModel}
        hint={text.defaultModelHint}
        value={chosen ?? (model ? { value: model, label: model } : undefined)}
        options={models}
        placeholder={text.deploymentModel}
        error={isGone ? text.modelGone : undefined}
        isDisabled={!canManage}
        canBeEmpty
        onChange={(option) => setModel(option?.value ?? "")}
      />
      <Select
        label={text.agentLanguage}
        hint={text.agentLanguageHint}
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: text.languages[value || "own"] }))}
        isDisabled={!canManage}
        onChange={setLanguage}
      />
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{ default_model: text.defaultModel, language: text.agentLanguage }}
        />
      )}
      {canManage && (
        <Button type="submit" disabled={!isChanged} isLoading={isPending}>
          {text.save}
        </Button>
      )}
    </Form>
  );
}
