import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { failureOf } from "../../api/list";
import { useChangePreferences } from "../../session/preferences";
import { SESSION_KEY, useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { browserZone, chooseZone } from "../../text/zone";
import { Combobox } from "../../ui/combobox/combobox";
import { ErrorLine } from "../../ui/error-state/error-line";
import { toast } from "../../ui/toast/toasts";
import styles from "./look.module.css";
import { accountText } from "./text";

/** The time zone that times and days are shown in, on every machine one signs in at. */
export function Zone() {
  const text = useText(accountText);
  const queries = useQueryClient();
  const { user } = useSession();
  const { mutate, error } = useChangePreferences();
  const failure = failureOf(error);
  const own = browserZone();
  const options = useMemo(
    () => [
      { value: "", label: text.zoneOfBrowser(own) },
      ...["UTC", ...Intl.supportedValuesOf("timeZone")].map((value) => ({ value, label: value })),
    ],
    [text, own],
  );
  return (
    <div className={styles.field}>
      <Combobox
        label={text.zone}
        value={options.find((each) => each.value === user.zone)}
        options={options}
        onChange={(next) => {
          if (!next) return;
          mutate((before) => ({ ...before, zone: next.value }), {
            onSuccess: async () => {
              chooseZone(next.value);
              await queries.invalidateQueries({ queryKey: SESSION_KEY });
              toast(text.zoneSaved);
            },
          });
        }}
      />
      {failure && <ErrorLine failure={failure} labels={{ zone: text.zone }} />}
    </div>
  );
}
