import styles from "./tag-list.module.css";

type Tag = { name?: string; value: string };

/** Tags in one line: words alone, or names with what they are set to. */
export function TagList({ tags }: { tags: readonly Tag[] }) {
  if (tags.length === 0) return null;
  return (
    <span className={styles.list} title={tags.map(sentence).join("\n")}>
      {tags.map((tag) => (
        <span key={sentence(tag)} className={styles.tag}>
          {tag.name !== undefined && <span className={styles.name}>{tag.name} </span>}
          {tag.value}
        </span>
      ))}
    </span>
  );
}

function sentence({ name, value }: Tag): string {
  return name === undefined ? value : `${name}: ${value}`;
}
