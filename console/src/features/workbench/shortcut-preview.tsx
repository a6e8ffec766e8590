import { Paperclip, SendHorizontal, Zap } from "lucide-react";
import { useText } from "../../text/catalogue";
import styles from "./shortcut-dialog.module.css";
import type { Shortcut } from "./shortcuts";
import { workbenchText } from "./text";

/** What people see: the button above their field, and the panel that it opens. */
export function ShortcutPreview({ fields }: { fields: Omit<Shortcut, "id"> }) {
  const text = useText(workbenchText).shortcuts;
  const { name } = fields;
  const shown = fields.components.filter((each) => !each.hide);
  const isPanel = fields.send_type === "panel";
  return (
    <section className={styles.preview} aria-label={text.preview}>
      <h3>{text.preview}</h3>
      <div className={styles.stage} inert>
        {isPanel ? (
          <div className={styles.panel}>
            <p className={styles.panelName}>{name || text.unnamed}</p>
            {shown.map((each) => (
              <div key={each.name} className={styles.control}>
                <span>{each.name}</span>
                <span className={styles.box}>
                  {each.input_type.startsWith("upload") ? (
                    <>
                      <Paperclip size={14} />
                      {text.choose}
                    </>
                  ) : (
                    each.default_value ||
                    (each.input_type === "select" ? (each.options[0] ?? "") : "")
                  )}
                </span>
              </div>
            ))}
            <span className={styles.send}>
              <SendHorizontal size={14} />
              {text.send}
            </span>
          </div>
        ) : (
          <p className={styles.question}>{fields.template_query || name || text.unnamed}</p>
        )}
        <span className={styles.chip}>
          <Zap size={14} />
          {name || text.unnamed}
        </span>
        <span className={styles.composer}>{text.composer}</span>
      </div>
      {isPanel && <p className={styles.sent}>{text.sends(filled(fields))}</p>}
    </section>
  );
}

/** The text that is sent, with the values that the panel begins with. */
function filled({ template_query: template, components }: Omit<Shortcut, "id">): string {
  return components.reduce(
    (now, each) => now.replaceAll(`{{${each.name}}}`, each.default_value || `[${each.name}]`),
    template,
  );
}
