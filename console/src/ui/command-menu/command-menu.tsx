import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { matches } from "../combobox/options";
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
  /** What the field begins with. */
  begin?: string;
  groups: readonly CommandGroup[];
  /** What somebody else found for what is typed; not narrowed again. */
  found?: CommandGroup | undefined;
  /** Told what is typed; not while a word is being composed. */
  onQuery?: (query: string) => void;
  nothing: { title: string; why: string };
  onClose: () => void;
};

/** One field for everything that can be done or gone to. */
export function CommandMenu(props: Props) {
  const { label, begin = "", groups, found, onQuery, nothing, onClose } = props;
  const [typed, setTyped] = useState(begin);
  const isComposing = useRef(false);
  const narrowed = groups.map((group) => ({
    ...group,
    items: group.items.filter(({ label, hint }) =>
      matches({ value: "", label, note: hint }, typed),
    ),
  }));
  const others = found ? [found] : [];
  const shown = (typed ? [...narrowed, ...others] : [...others, ...narrowed]).filter(
    (group) => group.items.length > 0,
  );
  function ask(query: string): void {
    if (!isComposing.current) onQuery?.(query.trim());
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup aria-label={label} className={styles.popup}>
          <Autocomplete.Root
            open
            inline
            items={shown}
            filter={null}
            value={typed}
            onValueChange={(value) => {
              setTyped(value);
              ask(value);
            }}
            autoHighlight="always"
            keepHighlight
            itemToStringValue={(item: Command) => `${item.label} ${item.hint ?? ""}`}
          >
            <div className={styles.field}>
              <Search size={16} />
              <Autocomplete.Input
                aria-label={label}
                placeholder={label}
                className={styles.input}
                onCompositionStart={() => {
                  isComposing.current = true;
                }}
                onCompositionEnd={(event) => {
                  isComposing.current = false;
                  ask(event.currentTarget.value);
                }}
              />
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
