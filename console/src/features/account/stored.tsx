import { forgetLocal } from "../../session/local";
import { forgetRecovery } from "../../session/recovery";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Section } from "../../ui/page/section";
import { toast } from "../../ui/toast/toasts";
import styles from "./stored.module.css";
import { accountText } from "./text";

/** What this browser keeps, and how to be rid of it. */
export function Stored() {
  const text = useText(accountText);
  return (
    <Section title={text.stored}>
      <div className={styles.row}>
        <p>{text.storedWhy}</p>
        <Button
          onClick={() => {
            forgetLocal();
            void forgetRecovery().then(() => toast(text.cleared));
          }}
        >
          {text.clear}
        </Button>
      </div>
    </Section>
  );
}
