import { may, type Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { Dialog } from "../ui/dialog/dialog";
import { Kbd } from "../ui/kbd/kbd";
import { MODELS, SECTIONS, sectionName } from "./sections";
import styles from "./shortcut-list.module.css";
import { shellText } from "./text";

type Props = { workspace: Workspace | undefined; onClose: () => void };

/** The keys that work here. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ShortcutList({ workspace, onClose }: Props) {
  const text = useText(shellText);
  const sections = SECTIONS.filter((each) => each.letter && may(workspace, each.permission));
  const rows: readonly [string, readonly string[]][] = [
    [text.shortcuts.find, ["mod+k"]],
    [text.shortcuts.search, ["/"]],
    [text.shortcuts.walk, ["j", "k"]],
    [text.shortcuts.rail, ["\\"]],
    [text.shortcuts.help, ["?"]],
  ];
  const places: readonly [string, string][] = [
    ...sections.map((each): [string, string] => [sectionName(each, text), each.letter ?? ""]),
    [text.models, MODELS.letter],
  ];
  return (
    <Dialog isOpen isForReading onClose={onClose} title={text.shortcuts.title}>
      <dl className={styles.list}>
        {rows.map(([name, keys]) => (
          <div key={name} className={styles.row}>
            <dt>{name}</dt>
            <dd className={styles.keys}>
              {keys.map((each) => (
                <Kbd key={each} keys={each} />
              ))}
            </dd>
          </div>
        ))}
        {places.map(([name, letter]) => (
          <div key={name} className={styles.row}>
            <dt>{text.shortcuts.goTo(name)}</dt>
            <dd className={styles.keys}>
              <Kbd keys="g" />
              <span className={styles.then}>{text.shortcuts.afterwards}</span>
              <Kbd keys={letter} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
