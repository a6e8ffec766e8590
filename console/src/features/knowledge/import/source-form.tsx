import { BookOpen, Globe, Type, Upload } from "lucide-react";
import { useState } from "react";
import { useText } from "../../../text/catalogue";
import { formatBytes } from "../../../text/formats";
import { Button } from "../../../ui/button/button";
import { FileDrop } from "../../../ui/file/file-drop";
import { Segmented } from "../../../ui/segmented/segmented";
import { Select } from "../../../ui/select/select";
import { TextArea } from "../../../ui/text-field/text-area";
import { TextField } from "../../../ui/text-field/text-field";
import { DocumentsForm } from "./documents-form";
import styles from "./forms.module.css";
import { addressesOf, mostBytes, pageName, type Source } from "./rules";
import { Step } from "./step";
import { importText } from "./text";

const TABLE = 1;
const IMAGES = 2;
const ACCEPTED: readonly string[] = [
  ".pdf,.docx,.pptx,.md,.markdown,.txt,.html,.htm,.epub,.json,.csv,.xlsx",
  ".csv,.xlsx,.xls,.json",
  "image/png,image/jpeg,image/webp,image/gif,image/bmp",
];
const INTERVALS = ["0", "24", "168", "720"] as const;

const TABS = {
  text: ["files", "web", "text", "base"],
  images: ["files", "base"],
} as const;
const SIGNS = { files: Upload, web: Globe, text: Type, base: BookOpen };

type Props = {
  workspaceId: string;
  baseId: string;
  /** Of the base: text, table or images. */
  kind: number;
  onFiles: (files: readonly { file: File; name: string }[]) => void;
  onAdd: (sources: readonly Source[]) => void;
};

/** Where documents come from. */
export function SourceForm({ workspaceId, baseId, kind, onFiles, onAdd }: Props) {
  const { sources: text } = useText(importText);
  const [tab, setTab] = useState<keyof typeof SIGNS>("files");
  const limit = formatBytes(mostBytes(kind));
  const hints = [text.filesHint(limit), text.tablesHint(limit), text.imagesHint(limit)];
  return (
    <Step title={text.title}>
      {kind !== TABLE && (
        <div>
          <Segmented
            label={text.kinds}
            value={tab}
            options={(kind === IMAGES ? TABS.images : TABS.text).map((value) => {
              const Sign = SIGNS[value];
              return { value, label: text.tabs[value], icon: <Sign size={14} /> };
            })}
            onChange={setTab}
          />
        </div>
      )}
      {tab === "files" && (
        <FileDrop
          label={text.files}
          hint={hints[kind]}
          accept={ACCEPTED[kind] ?? ""}
          isSingle={kind === TABLE}
          {...(kind === TABLE ? {} : { folderLabel: text.folder })}
          onFiles={(files) => onFiles(files.map((file) => ({ file, name: nameOf(file) })))}
        />
      )}
      {tab === "web" && <WebForm onAdd={onAdd} />}
      {tab === "text" && <TextForm onAdd={onAdd} />}
      {tab === "base" && (
        <DocumentsForm workspaceId={workspaceId} baseId={baseId} kind={kind} onAdd={onAdd} />
      )}
    </Step>
  );
}

/** The name of a file with the folders that it came in. */
function nameOf(file: File): string {
  return (file.webkitRelativePath || file.name).slice(-255);
}

function WebForm({ onAdd }: { onAdd: Props["onAdd"] }) {
  const { sources: text } = useText(importText);
  const [lines, setLines] = useState("");
  const [hours, setHours] = useState<(typeof INTERVALS)[number]>("0");
  const { good, wrong } = addressesOf(lines);
  return (
    <div className={styles.stack}>
      <TextArea label={text.web} value={lines} rows={4} onChange={setLines} />
      {wrong[0] && <p role="alert">{text.webWrong(wrong[0])}</p>}
      <Select
        label={text.refresh}
        value={hours}
        options={INTERVALS.map((value) => ({ value, label: text.refreshes[value] }))}
        onChange={setHours}
      />
      <Button
        disabled={good.length === 0 || wrong.length > 0}
        onClick={() => {
          onAdd(
            good.map((url) => ({
              kind: "web",
              id: crypto.randomUUID(),
              name: pageName(url),
              url,
              hours: Number(hours),
            })),
          );
          setLines("");
        }}
      >
        {text.addWeb(good.length)}
      </Button>
    </div>
  );
}

function TextForm({ onAdd }: { onAdd: Props["onAdd"] }) {
  const { sources: text } = useText(importText);
  const [name, setName] = useState("");
  const [body, setBody] = useState("");
  return (
    <div className={styles.stack}>
      <TextField label={text.textName} value={name} maxLength={255} onChange={setName} required />
      <TextArea label={text.textBody} value={body} rows={6} onChange={setBody} required />
      <Button
        disabled={!name.trim() || !body.trim()}
        onClick={() => {
          onAdd([{ kind: "text", id: crypto.randomUUID(), name: name.trim(), body }]);
          setName("");
          setBody("");
        }}
      >
        {text.addText}
      </Button>
    </div>
  );
}
