import { BookOpen, FileJson, LayoutTemplate, SquarePlus, TriangleAlert } from "lucide-react";
import { type FormEvent, useCallback, useId, useState } from "react";
import { useTeach } from "../../agent/teach";
import { LessonDrop, LessonFiles, LessonProgress } from "../../agent/teaching";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine, ErrorWords } from "../../ui/error-state/error-line";
import { FileDrop } from "../../ui/file/file-drop";
import { Form } from "../../ui/form/form";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { uiText } from "../../ui/text";
import { TextField } from "../../ui/text-field/text-field";
import { type AgentDocument, readDocument } from "./agent-document";
import { Created } from "./created";
import styles from "./new-dialog.module.css";
import {
  findBases,
  type Secrets,
  useCopyTemplate,
  useCreateAgent,
  useImportAgent,
  useTemplates,
} from "./queries";
import { Taught } from "./taught";
import { agentsText } from "./text";

/** As long as the name of an agent may be. */
const NAME_LENGTH = 50;

type Start = "empty" | "template" | "base" | "file";
type Props = {
  workspaceId: string;
  onOpen: (agentId: string) => void;
  onClose: () => void;
};

/** Makes an agent: from nothing, a template, documents or a base of them, or a file. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewDialog({ workspaceId, onOpen, onClose }: Props) {
  const { creation: text, ...words } = useText(agentsText);
  const { cancel } = useText(uiText);
  const [start, setStart] = useState<Start>("empty");
  const [name, setName] = useState("");
  const [purpose, setPurpose] = useState("");
  const [template, setTemplate] = useState<ComboboxOption>();
  const [base, setBase] = useState<ComboboxOption>();
  const [lesson, setLesson] = useState<readonly File[]>([]);
  const [file, setFile] = useState<AgentDocument>();
  const [secrets, setSecrets] = useState<Secrets>({});
  const [isNoAgent, setNoAgent] = useState(false);
  const create = useCreateAgent(workspaceId);
  const copy = useCopyTemplate(workspaceId);
  const bring = useImportAgent(workspaceId);
  const teach = useTeach(workspaceId);
  const templates = useTemplates();
  const form = useId();
  const bases = useCallback(
    (q: string, signal: AbortSignal) => findBases(workspaceId, q, signal),
    [workspaceId],
  );
  const failure = failureOf(create.error ?? copy.error ?? bring.error ?? teach.error);
  const isPending = create.isPending || copy.isPending || bring.isPending || teach.isPending;
  const isReady = {
    empty: name.trim() !== "",
    template: template !== undefined,
    base: name.trim() !== "" && (base !== undefined || lesson.length > 0),
    file: file?.secrets.every((each) => secrets[each]) ?? false,
  }[start];
  const isNamed = start === "empty" || start === "base" || template || file;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const named = { name: name.trim(), description: purpose.trim() };
    const onSuccess = ({ id }: { id: string }) => onOpen(id);
    if (start === "empty") create.mutate(named, { onSuccess });
    if (start === "base" && lesson.length > 0) {
      const host = { id: undefined, name: named.name, purpose: named.description, persona: "" };
      teach.mutate({ host, files: lesson, base: named.name });
    } else if (start === "base") {
      const knowledge = { datasets: base ? [base.value] : [], auto: true };
      create.mutate({ ...named, knowledge }, { onSuccess });
    }
    if (start === "template") {
      copy.mutate({ templateId: template?.value ?? "", name: named.name }, { onSuccess });
    }
    if (start === "file") {
      bring.mutate(
        { document: file?.document ?? {}, name: named.name, secrets },
        { onSuccess: ({ agent, warnings }) => warnings.length === 0 && onOpen(agent.id) },
      );
    }
  }

  function learn(files: readonly File[]): void {
    setLesson(files);
    const [first] = files;
    if (first && !name) setName(first.name.replace(/\.[^.]+$/, "").slice(0, NAME_LENGTH));
  }

  async function read(chosen: File): Promise<void> {
    const found = readDocument(await chosen.text());
    setFile(found);
    setNoAgent(!found);
    setName(found?.name ?? "");
    setSecrets({});
  }

  if (teach.data) {
    const { agent, baseId } = teach.data;
    return (
      <Taught
        workspaceId={workspaceId}
        agent={agent}
        baseId={baseId}
        count={lesson.length}
        onOpen={() => onOpen(agent.id)}
        onClose={onClose}
      />
    );
  }
  if (bring.data) {
    const { agent, warnings } = bring.data;
    return (
      <Created agent={agent} onOpen={() => onOpen(agent.id)} onClose={onClose}>
        <section className={styles.warnings}>
          <h3>
            <TriangleAlert size={14} />
            {text.missing}
          </h3>
          <ul>
            {warnings.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </section>
      </Created>
    );
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.create}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!isReady}
            isLoading={isPending}
          >
            {words.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, purpose, lesson.length, secrets]}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <RadioCards
          label={text.start}
          isLabelHidden
          columns={2}
          value={start}
          options={[
            { value: "empty", icon: <SquarePlus size={16} />, ...text.starts.empty },
            { value: "template", icon: <LayoutTemplate size={16} />, ...text.starts.template },
            { value: "base", icon: <BookOpen size={16} />, ...text.starts.base },
            { value: "file", icon: <FileJson size={16} />, ...text.starts.file },
          ]}
          onChange={setStart}
        />
        {start === "template" &&
          (templates.data?.items.length === 0 ? (
            <p className={styles.note}>{text.noTemplates}</p>
          ) : (
            <Combobox
              label={text.template}
              value={template}
              options={(templates.data?.items ?? []).map((each) => ({
                value: each.id,
                label: each.name,
                note: [each.template_category, each.description].filter(Boolean).join(" · "),
              }))}
              onChange={(next) => {
                setTemplate(next);
                setName(next?.label ?? "");
              }}
            />
          ))}
        {start === "base" && !base && !teach.isPending && (
          <LessonDrop onFiles={(added) => learn([...lesson, ...added])} />
        )}
        {start === "base" && !teach.isPending && <LessonFiles files={lesson} onFiles={learn} />}
        {start === "base" && lesson.length === 0 && (
          <Combobox
            label={text.base}
            hint={text.baseHint}
            value={base}
            options={bases}
            onChange={(next) => {
              setBase(next);
              if (!name) setName(next?.label ?? "");
            }}
          />
        )}
        {start === "file" && (
          <>
            <FileDrop
              label={file ? text.otherFile : text.chooseFile}
              hint={text.fileHint}
              accept=".json,application/json"
              isSingle
              onFiles={([chosen]) => chosen && void read(chosen)}
            />
            {isNoAgent && <ErrorWords>{text.noAgent}</ErrorWords>}
          </>
        )}
        {isNamed && (
          <TextField
            label={words.fields.name}
            value={name}
            onChange={setName}
            autoComplete="off"
            maxLength={NAME_LENGTH}
            required
            autoFocus={start === "empty"}
          />
        )}
        {(start === "empty" || start === "base") && (
          <TextField
            label={words.fields.purpose}
            hint={words.fields.purposeHint}
            value={purpose}
            onChange={setPurpose}
            autoComplete="off"
            maxLength={500}
          />
        )}
        {start === "file" &&
          file?.secrets.map((each) => (
            <TextField
              key={each}
              label={each}
              hint={text.secretHint}
              type="password"
              value={secrets[each] ?? ""}
              onChange={(value) => setSecrets((old) => ({ ...old, [each]: value }))}
              autoComplete="off"
              required
            />
          ))}
        {teach.isPending && (
          <LessonProgress sent={teach.sent} read={undefined} count={lesson.length} />
        )}
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              name: words.fields.name,
              description: words.fields.purpose,
              document: text.starts.file.label,
              datasets: text.base,
            }}
          />
        )}
        {teach.error && <p className={styles.note}>{text.goesOn}</p>}
      </Form>
    </Dialog>
  );
}
