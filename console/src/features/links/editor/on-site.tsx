import { addressOf, embedOf } from "../../../agent/share-address";
import { useText } from "../../../text/catalogue";
import { Section } from "../../../ui/page/section";
import { Command } from "../../../ui/text-field/command";
import type { Link } from "../queries";
import { linksText } from "../text";
import styles from "./editor.module.css";

/** Where a link is, and the line that puts it on another site. */
export function OnSite({ link }: { link: Link }) {
  const text = useText(linksText);
  return (
    <Section title={text.parts.site}>
      <div className={styles.key}>
        <p>{text.address}</p>
        <Command command={addressOf(link)} />
      </div>
      <div className={styles.key}>
        <p>{text.embed}</p>
        <Command command={embedOf(link)} />
      </div>
    </Section>
  );
}
