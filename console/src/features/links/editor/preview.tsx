import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { addressOf } from "../../../agent/share-address";
import { useText } from "../../../text/catalogue";
import { IconButton } from "../../../ui/button/icon-button";
import { classes } from "../../../ui/classes";
import { Segmented } from "../../../ui/segmented/segmented";
import type { Link } from "../queries";
import { linksText } from "../text";
import styles from "./editor.module.css";

const VIEWS = ["page", "phone", "widget"] as const;

/** The page of a link as it is saved, at the width of a desktop, a phone or the widget. */
export function Preview({ link }: { link: Link }) {
  const text = useText(linksText);
  const [view, setView] = useState<(typeof VIEWS)[number]>("page");
  const address = view === "widget" ? `${addressOf(link)}?embed=1` : addressOf(link);
  return (
    <section aria-label={text.preview} className={styles.preview}>
      <div className={styles.bar}>
        <Segmented
          label={text.preview}
          value={view}
          options={VIEWS.map((value) => ({ value, label: text.previews[value] }))}
          onChange={setView}
        />
        <IconButton
          label={text.open}
          icon={<ExternalLink size={16} />}
          onClick={() => void window.open(addressOf(link), "_blank", "noopener")}
        />
      </div>
      <div className={styles.stage}>
        <iframe
          key={`${view} ${link.updated_at}`}
          src={address}
          title={text.previewOf(link.settings.name)}
          className={classes(styles.frame, styles[view])}
        />
      </div>
      <p className={styles.note}>{text.previewNote}</p>
    </section>
  );
}
