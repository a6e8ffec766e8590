import { FileText } from "lucide-react";
import type { FileRef } from "./client";
import styles from "./files.module.css";
import { Picture } from "./picture";

/** Files of a message: pictures as such, others by name, to be opened where there is an address. */
export function Files({ files }: { files: readonly FileRef[] }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map((file) => (
        <li key={`${file.name} ${file.url}`}>
          <One file={file} />
        </li>
      ))}
    </ul>
  );
}

function One({ file }: { file: FileRef }) {
  const { name, url, isImage } = file;
  if (url && isImage) return <Picture src={url} name={name} />;
  const words = (
    <>
      <FileText size={16} strokeWidth={1.5} />
      <span className={styles.name}>{name}</span>
    </>
  );
  if (!url) return <span className={styles.chip}>{words}</span>;
  return (
    <a href={url} target="_blank" rel="noopener" className={styles.chip}>
      {words}
    </a>
  );
}
