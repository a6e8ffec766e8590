import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { failureOf } from "../api/list";
import { useSession } from "../session/session";
import { useText } from "../text/catalogue";
import { IconButton } from "../ui/button/icon-button";
import { Combobox } from "../ui/combobox/combobox";
import { SideSheet } from "../ui/dialog/side-sheet";
import { ErrorLine } from "../ui/error-state/error-line";
import { Tile } from "../ui/tile/tile";
import styles from "./groups.module.css";
import { findAccounts, findMembers, type Group, groupQuery, useChangeGroup } from "./queries";
import { groupsText } from "./text";

type Props = { group: Group; onClose: () => void };

/** Who is in a group, and who is let in. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function GroupSheet({ group, onClose }: Props) {
  const text = useText(groupsText);
  const { user } = useSession();
  const { data, error } = useQuery(groupQuery(group.id));
  const change = useChangeGroup(group.id);
  const failure = failureOf(change.error ?? error);
  const members = data?.members ?? [];
  return (
    <SideSheet isOpen onClose={onClose} title={group.name}>
      <div className={styles.sheet}>
        <Combobox
          label={text.addMember}
          hint={text.addHint}
          value={undefined}
          placeholder={text.choose}
          options={async (query, signal) => {
            const found = user.is_admin
              ? await findAccounts(query, signal)
              : await findMembers(group.workspace_id, query, signal);
            return found.filter(({ value }) => !members.some((each) => each.user_id === value));
          }}
          onChange={(chosen) => chosen && change.mutate({ userId: chosen.value, isIn: true })}
        />
        {failure && <ErrorLine failure={failure} labels={{ user_id: text.addMember }} />}
        {data && members.length === 0 && <p className={styles.note}>{text.nobody}</p>}
        <ul className={styles.people}>
          {members.map((each) => {
            const name = each.nickname || each.name;
            return (
              <li key={each.user_id} className={styles.person}>
                <Tile isRound size="small" name={name} />
                <span className={styles.grow}>{name}</span>
                <IconButton
                  size="compact"
                  label={text.takeOut(name)}
                  icon={<X size={14} />}
                  onClick={() => change.mutate({ userId: each.user_id, isIn: false })}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </SideSheet>
  );
}
