import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import type { TriedOverrides } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { traceBodyText } from "../../trace/body-text";
import type { Span } from "../../trace/layout";
import type { Summary } from "../../trace/queries";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Unsaved } from "../../ui/form/unsaved";
import { NumberField } from "../../ui/number/number-field";
import { Select } from "../../ui/select/select";
import { Switch } from "../../ui/switch/switch";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import styles from "./replay-dialog.module.css";

type Props = { trace: Summary; span: Span | undefined; onClose: () => void };

/** The same run once more, with something changed: as a whole, or from a step on. */
export function ReplayDialog({ trace, span, onClose }: Props) {
  const { replay: text } = useText(traceBodyText);
  const { cancel } = useText(uiText);
  const navigate = useNavigate();
  const isChat = trace.kind === "chat";
  const mayBegin = span && span.parent_id !== null && span.run_id === trace.run_id;
  const [from, setFrom] = useState<"start" | "span">(mayBegin ? "span" : "start");
  const [version, setVersion] = useState<string>();
  const [model, setModel] = useState<{ value: string; label: string }>();
  const [persona, setPersona] = useState("");
  const [temperature, setTemperature] = useState<number>();
  const [tokens, setTokens] = useState<number>();
  const [hasEffects, setEffects] = useState(false);
  const models = useModels(isChat);
  const versions = useVersions(isChat ? trace.agent_id : null);
  const overrides = changed({ model: model?.value, persona, temperature, tokens });
  const begin = useMutation({
    mutationFn: () =>
      unwrap(
        client.POST("/admin/v1/traces/{run_id}/replay", {
          params: { path: { run_id: trace.run_id } },
          body: {
            ...(from === "span" && span && { span_id: span.id }),
            ...(version !== undefined && { version }),
            ...(overrides && { overrides }),
            effects: hasEffects,
          },
        }),
      ),
    onSuccess: ({ run_id: runId }) => {
      onClose();
      void navigate({
        to: "/w/$workspaceId/runs/$runId",
        params: { workspaceId: trace.workspace_id, runId },
        search: { of: trace.run_id },
      });
    },
  });
  const failure = failureOf(begin.error);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.title}
      description={isChat ? text.why : text.whyFlow}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button kind="primary" isLoading={begin.isPending} onClick={() => begin.mutate()}>
            {text.begin}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {mayBegin && (
          <Select
            label={text.from}
            value={from}
            options={[
              { value: "start", label: text.whole },
              { value: "span", label: text.fromStep(span.name) },
            ]}
            onChange={setFrom}
          />
        )}
        {isChat && (
          <>
            <div className={styles.pair}>
              <Select
                label={text.version}
                value={version ?? ""}
                options={[
                  { value: "", label: text.sameVersion },
                  { value: "draft", label: text.draft },
                  ...versions.map((label) => ({ value: label, label })),
                ]}
                onChange={(value) => setVersion(value || undefined)}
              />
              <Combobox
                label={text.model}
                value={model}
                options={models}
                placeholder={text.same}
                onChange={(option) => setModel(option ?? undefined)}
              />
              <NumberField
                label={text.temperature}
                value={temperature}
                min={0}
                max={2}
                step={0.1}
                placeholder={text.same}
                onChange={setTemperature}
              />
              <NumberField
                label={text.longest}
                value={tokens}
                min={1}
                step={256}
                placeholder={text.same}
                onChange={setTokens}
              />
            </div>
            <TextArea
              label={text.persona}
              value={persona}
              rows={4}
              placeholder={text.samePersona}
              onChange={setPersona}
            />
          </>
        )}
        <Switch
          label={text.effects}
          hint={hasEffects ? text.effectsWhy : text.noEffectsWhy}
          isOn={hasEffects}
          onChange={setEffects}
        />
        <Unsaved isUnsaved={overrides !== undefined && !begin.isPending} />
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              version: text.version,
              "overrides.model_id": text.model,
              "overrides.prompt": text.persona,
              "overrides.parameters.temperature": text.temperature,
              "overrides.parameters.max_tokens": text.longest,
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

type Changes = {
  model: string | undefined;
  persona: string;
  temperature: number | undefined;
  tokens: number | undefined;
};

/** What is not as it was; nothing where all of it is. */
function changed({ model, persona, temperature, tokens }: Changes): TriedOverrides | undefined {
  const parameters = {
    ...(temperature !== undefined && { temperature }),
    ...(tokens !== undefined && { max_tokens: tokens }),
  };
  const found = {
    ...(model && { model_id: model }),
    ...(persona.trim() && { prompt: persona }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
}

function useModels(isWanted: boolean) {
  const { data } = useQuery({
    queryKey: ["admin.models.list", "llm", "replay"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/models", { params: { query: { type: "llm" } }, signal })),
    enabled: isWanted,
  });
  return (data?.items ?? []).map((each) => ({
    value: String(each.id),
    label: each.display.name || String(each.id),
  }));
}

function useVersions(agentId: string | null | undefined): readonly string[] {
  const { data } = useQuery({
    queryKey: ["admin.agents.versions", agentId, "replay"],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/agents/{agent_id}/versions", {
          params: { path: { agent_id: agentId ?? "" } },
          signal,
        }),
      ),
    enabled: Boolean(agentId),
  });
  return data?.items.map((each) => each.version) ?? [];
}
