import type { Role } from "../../api/schema";
import { useRoleName } from "../../session/role-name";
import { useText } from "../../text/catalogue";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { settingsText } from "./text";

type Props = { roles: readonly Role[]; value: Role; onChange: (role: Role) => void };

/** What somebody may, in words. */
export function RoleCards({ roles, value, onChange }: Props) {
  const { members, rolesMay } = useText(settingsText);
  const roleName = useRoleName();
  return (
    <RadioCards
      label={members.role}
      value={value}
      options={roles.map((each) => ({
        value: each,
        label: roleName(each),
        note: rolesMay[each],
      }))}
      onChange={onChange}
    />
  );
}
