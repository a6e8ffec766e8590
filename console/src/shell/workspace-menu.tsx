import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, type ReactElement, Suspense, useState } from "react";
import { useSession, type Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { Menu, MenuChoice, MenuItem, MenuLine } from "../ui/menu/menu";
import { SearchField } from "../ui/text-field/search-field";
import { shellText } from "./text";

const NewWorkspace = lazy(() => import("./new-workspace"));

/** From this many on the list can be filtered. */
const MANY = 6;

type Props = {
  workspace: Workspace | undefined;
  trigger: ReactElement<Record<string, unknown>>;
};

/** The workspaces of the person, to switch between. */
export function WorkspaceMenu({ workspace, trigger }: Props) {
  const text = useText(shellText);
  const { workspaces } = useSession();
  const navigate = useNavigate();
  const [filter, setFilter] = useState("");
  const [isMaking, setMaking] = useState(false);
  const shown = workspaces.filter((each) => folded(each.name).includes(folded(filter)));
  const names: Readonly<Record<string, string>> = text.roles;
  return (
    <>
      <Menu trigger={trigger} isFitted>
        {workspaces.length >= MANY && (
          <SearchField label={text.filterWorkspaces} value={filter} onChange={setFilter} />
        )}
        <MenuChoice
          label={text.openWorkspace}
          value={workspace?.id}
          options={shown.map((each) => ({
            value: each.id,
            label: each.name,
            hint: names[each.role] ?? each.role,
          }))}
          onChange={(id) => void navigate({ to: "/w/$workspaceId", params: { workspaceId: id } })}
        />
        <MenuLine />
        <MenuItem icon={<Plus size={16} />} onSelect={() => setMaking(true)}>
          {text.newWorkspace}
        </MenuItem>
      </Menu>
      <Suspense>{isMaking && <NewWorkspace onClose={() => setMaking(false)} />}</Suspense>
    </>
  );
}

/** Words compared without regard to case, width and accents. */
function folded(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}
