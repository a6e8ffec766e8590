import { hasLetters } from "../session/appearance";
import { may, useSession, type Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { Dialog } from "../ui/dialog/dialog";
import { Kbd } from "../ui/kbd/kbd";
import { type KeyedPart, keyedParts } from "../ui/page/keyed-parts";
import { placesFor, SECTIONS, sectionName } from "./sections";
import styles from "./shortcut-list.module.css";
import { shortcutText } from "./shortcut-text";
import type { Text } from "./shortcut-text.en";
import { shellText } from "./text";

type Row = readonly [name: string, keys: readonly string[]];
type Props = { workspace: Workspace | undefined; onClose: () => void };

/** The keys that work here: those of the parts that are shown, then those of every screen. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ShortcutList({ workspace, onClose }: Props) {
  const text = useText(shortcutText);
  const words = useText(shellText);
  const { user } = useSession();
  const places: readonly [string, string | undefined][] = [
    ...SECTIONS.filter((each) => may(workspace, each.permission)).map(
      (each): [string, string | undefined] => [sectionName(each, words), each.letter],
    ),
    ...placesFor(user).map((each): [string, string | undefined] => [words[each.key], each.letter]),
  ];
  return (
    <Dialog isOpen isForReading onClose={onClose} title={text.title}>
      {!hasLetters() && <p className={styles.note}>{text.off}</p>}
      {keyedParts().map((part) => (
        <Rows key={part} title={text.parts[part]} rows={rowsOf(part, text)} />
      ))}
      <Rows
        title={text.everywhere}
        rows={[
          [text.find, ["mod+k"]],
          [text.search, ["/"]],
          [text.rail, ["\\"]],
          [text.help, ["?"]],
        ]}
      />
      <section>
        <h3 className={styles.title}>{text.places}</h3>
        <dl className={styles.list}>
          {places.map(
            ([name, letter]) =>
              letter && (
                <div key={name} className={styles.row}>
                  <dt>{name}</dt>
                  <dd className={styles.keys}>
                    <Kbd keys="g" />
                    <span className={styles.then}>{text.afterwards}</span>
                    <Kbd keys={letter} />
                  </dd>
                </div>
              ),
          )}
        </dl>
      </section>
    </Dialog>
  );
}

function Rows({ title, rows }: { title: string; rows: readonly Row[] }) {
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
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
      </dl>
    </section>
  );
}

function rowsOf(part: KeyedPart, text: Text): readonly Row[] {
  switch (part) {
    case "list":
      return [
        [text.list.walk, ["j", "k"]],
        [text.list.open, ["enter"]],
        [text.list.choose, ["x"]],
        [text.list.chooseAll, ["mod+a"]],
        [text.list.rename, ["e"]],
        [text.list.remove, ["delete"]],
      ];
    case "cells":
      return [
        [text.cells.edit, ["enter"]],
        [text.cells.leave, ["escape"]],
        [text.cells.next, ["Tab"]],
        [text.cells.choose, ["space"]],
        [text.cells.copy, ["mod+c", "mod+v"]],
        [text.cells.remove, ["delete"]],
      ];
    case "steps":
      return [
        [text.steps.walk, ["j", "k"]],
        [text.steps.fold, ["←", "→"]],
        [text.steps.zoom, ["+", "-", "0"]],
        [text.steps.prompt, ["p"]],
        [text.steps.copy, ["c"]],
      ];
    case "canvas":
      return [
        [text.canvas.run, ["mod+enter"]],
        [text.canvas.runNode, ["mod+shift+enter"]],
        [text.canvas.undo, ["mod+z", "mod+shift+z"]],
        [text.canvas.save, ["mod+s"]],
        [text.canvas.add, ["space"]],
        [text.canvas.connect, ["c"]],
        [text.canvas.palette, ["n"]],
        [text.canvas.find, ["f"]],
        [text.canvas.open, ["enter"]],
        [text.canvas.duplicate, ["mod+d"]],
        [text.canvas.remove, ["delete"]],
        [text.canvas.problems, ["F8", "shift+F8"]],
        [text.canvas.outline, ["mod+shift+o"]],
        [text.canvas.layOut, ["mod+shift+l"]],
        [text.canvas.pointer, ["v", "h"]],
        [text.canvas.map, ["m"]],
        [text.canvas.sight, ["mod+0", "mod+1"]],
        [text.canvas.close, ["escape"]],
      ];
    case "workbench":
      return [
        [text.workbench.save, ["mod+s"]],
        [text.workbench.publish, ["mod+shift+p"]],
        [text.workbench.details, ["mod+shift+d"]],
        [text.workbench.stop, ["mod+."]],
        [text.workbench.find, ["mod+f"]],
      ];
  }
}
