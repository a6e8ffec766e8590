import { Combobox as Base } from "@base-ui/react/combobox";
import { Check, Plus } from "lucide-react";
import { useText } from "../../text/catalogue";
import { classes } from "../classes";
import menu from "../menu/menu.module.css";
import { uiText } from "../text";
import styles from "./combobox.module.css";
import type { ComboboxOption } from "./options";

/** Value of the entry that makes what was typed. */
export const NEW = "\u0000new";

type Props = { state: "ready" | "pending" | "failed"; isEmpty: boolean; isTyped: boolean };

/** The list of a combobox, with a word where there is nothing in it. */
export function ComboboxList({ state, isEmpty, isTyped }: Props) {
  const text = useText(uiText);
  const said = {
    ready: isEmpty && (isTyped ? text.nothingFound : text.nothingYet),
    pending: text.searching,
    failed: text.failed,
  };
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={4} align="start" className={menu.positioner}>
        <Base.Popup className={classes(menu.popup, menu.fitted)}>
          <Base.Status className={styles.status}>{said[state]}</Base.Status>
          <Base.List>
            {(option: ComboboxOption) => (
              <Base.Item
                key={option.value}
                value={option}
                disabled={option.isDisabled ?? false}
                className={classes(menu.item, styles.item)}
              >
                {option.value === NEW ? <Plus size={14} /> : option.icon}
                <span className={styles.words}>
                  <span className={menu.label}>{option.label}</span>
                  {option.note && <span className={styles.note}>{option.note}</span>}
                </span>
                <Base.ItemIndicator className={menu.mark}>
                  <Check size={14} strokeWidth={2} />
                </Base.ItemIndicator>
              </Base.Item>
            )}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}
