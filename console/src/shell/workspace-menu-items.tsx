import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArchiveRestore, Plus } from "lucide-react";
import { useState } from "react";
import { pictureHere } from "../api/client";
import { deletedQuery } from "../session/deleted";
import { useRoleName } from "../session/role-name";
import { useSession, type Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { MenuChoice, MenuItem, MenuLine, MenuLink } from "../ui/menu/menu";
import { SearchField } from "../ui/text-field/search-field";
import { Tile } from "../ui/tile/tile";
import { shellText } from "./text";

/** From this many on the list can be filtered. */
const MANY = 6;

type Props = { workspace: Workspace | undefined; onNew: () => void };

/** The workspaces of the person, loaded when their menu is opened. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function WorkspaceMenuItems({ workspace, onNew }: Props) {
  const text = useText(shellText);
  const { workspaces } = useSession();
  const navigate = useNavigate();
  const [filter, setFilter] = useState("");
  const shown = workspaces.filter((each) => folded(each.name).includes(folded(filter)));
  const roleName = useRoleName();
  const { data: deleted } = useQuery(deletedQuery);
  return (
    <>
      {workspaces.length >= MANY && (
        <SearchField label={text.filterWorkspaces} value={filter} onChange={setFilter} />
      )}
      <MenuChoice
        label={text.openWorkspace}
        value={workspace?.id}
        options={shown.map((each) => ({
          value: each.id,
          label: each.name,
          icon: <Tile size="small" name={each.name} image={pictureHere(each.icon_url)} />,
          hint: roleName(each.role),
        }))}
        onChange={(id) => void navigate({ to: "/w/$workspaceId", params: { workspaceId: id } })}
      />
      <MenuLine />
      <MenuItem icon={<Plus size={16} />} onSelect={onNew}>
        {text.newWorkspace}
      </MenuItem>
      {!!deleted?.items.length && (
        <MenuLink icon={<ArchiveRestore size={16} />} link={<Link to="/account" />}>
          {text.deletedWorkspaces}
        </MenuLink>
      )}
    </>
  );
}

/** Words compared without regard to case, width and accents. */
function folded(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}
