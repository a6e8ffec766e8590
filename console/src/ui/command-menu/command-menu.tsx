import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Kbd } from "../kbd/kbd";
import styles from "./command-menu.module.css";

export type Command = {
  id: string;
  label: string;
  /** Said beside the label, and searched too. */
  hint?: string | undefined;
  icon: ReactNode;
  shortcut?: string | undefined;
  run: () => void;
};
export type CommandGroup = { value: string; items: readonly Command[] };

type Props = {
  label: string;
  groups: readonly CommandGroup[];
  nothing: { title: string; why: string };
  onClose: () => void;
};

/** One field for everything that can be done or gone to. */
export function CommandMenu({ label, groups, nothing, onClose }: Props) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup aria-label={label} className={styles.popup}>
          <Autocomplete.Root
            open
            inline
            items={groups}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(item: Command) => `${item.label} ${item.hint ?? ""}`}
          >
            <div className={styles.field}>
              <Search size={16} />
              <Autocomplete.Input aria-label={label} placeholder={label} className={styles.input} />
              <Kbd keys="escape" />
            </div>
            <Autocomplete.Empty className={styles.nothing}>
              <b>{nothing.title}</b>
              {nothing.why}
            </Autocomplete.Empty>
            <Autocomplete.List className={styles.list}>
              {(group: CommandGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.group}>
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(command: Command) => (
                      <Autocomplete.Item
                        key={command.id}
                        value={command}
                        className={styles.item}
                        onClick={() => {
                          onClose();
                          command.run();
                        }}
                      >
                        {command.icon}
                        <span className={styles.label}>{command.label}</span>
                        {command.hint && <span className={styles.hint}>{command.hint}</span>}
                        {command.shortcut && <Keys shortcut={command.shortcut} />}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Keys one after the other: `g a`. */
function Keys({ shortcut }: { shortcut: string }) {
  return (
    <span className={styles.keys}>
      {shortcut.split(" ").map((keys) => (
        <Kbd key={keys} keys={keys} />
      ))}
    </span>
  );
}
