import styles from "./tag-list.module.css";

export type Tags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Tags of a document in one line. */
export function TagList({ tags }: { tags: Tags }) {
  const all = Object.entries(tags).map(([name, value]) => ({ name, value: spelled(value) }));
  if (all.length === 0) return null;
  return (
    <span className={styles.list} title={all.map(sentence).join("\n")}>
      {all.map(({ name, value }) => (
        <span key={name} className={styles.tag}>
          <span className={styles.name}>{name}</span> {value}
        </span>
      ))}
    </span>
  );
}

export function spelled(value: Tags[string]): string {
  return typeof value === "object" ? value.join(", ") : String(value);
}

function sentence({ name, value }: { name: string; value: string }): string {
  return `${name}: ${value}`;
}
