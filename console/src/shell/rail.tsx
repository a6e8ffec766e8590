import { Link } from "@tanstack/react-router";
import { ChevronsUpDown, PanelLeft, Search } from "lucide-react";
import type { ReactNode } from "react";
import { pictureHere } from "../api/client";
import { useRoleName } from "../session/role-name";
import { may, useSession, type Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { IconButton } from "../ui/button/icon-button";
import { classes } from "../ui/classes";
import { Mark } from "../ui/door/mark";
import { Kbd } from "../ui/kbd/kbd";
import { Tile } from "../ui/tile/tile";
import { Tooltip } from "../ui/tooltip/tooltip";
import styles from "./rail.module.css";
import { placesFor, SECTIONS, sectionName } from "./sections";
import { shellText } from "./text";
import { UserMenu } from "./user-menu";
import { WorkspaceMenu } from "./workspace-menu";

export type BadgeView = typeof import("./badge").Badge;

type Props = {
  workspace: Workspace | undefined;
  isFolded: boolean;
  /** Absent where the rail is a drawer, which cannot be folded. */
  onFold?: () => void;
  onFind: () => void;
  /** Tells how much waits behind an entry; comes after what is on the screen. */
  badge: BadgeView | undefined;
};

/** The way around: workspace, its lists, what belongs to all, the person. */
export function Rail({ workspace, isFolded, onFold, onFind, badge: Badge }: Props) {
  const text = useText(shellText);
  const roleName = useRoleName();
  const { user } = useSession();
  const icon = pictureHere(workspace?.icon_url ?? "");
  return (
    <div className={classes(styles.rail, isFolded && styles.folded)}>
      <div className={styles.top}>
        <WorkspaceMenu
          workspace={workspace}
          trigger={
            <button
              type="button"
              aria-label={text.workspaceMenu(workspace?.name ?? "")}
              className={styles.workspace}
            >
              {icon ? <Tile name="" image={icon} /> : <Mark />}
              <span className={styles.words}>
                <span className={styles.name}>{workspace?.name ?? "Coterie"}</span>
                {workspace && <span className={styles.role}>{roleName(workspace.role)}</span>}
              </span>
              <ChevronsUpDown size={14} className={styles.more} />
            </button>
          }
        />
      </div>
      <button
        type="button"
        className={styles.find}
        onClick={onFind}
        aria-label={isFolded ? text.find.label : undefined}
      >
        <Search size={14} />
        <span className={styles.words}>{text.find.button}</span>
        <Kbd keys="mod+k" />
      </button>
      <nav aria-label={text.navigation} className={styles.sections}>
        {workspace && (
          <ul>
            {SECTIONS.filter((section) => may(workspace, section.permission)).map((section) => (
              <Entry
                key={section.key}
                isFolded={isFolded}
                icon={<section.icon size={16} strokeWidth={1.5} />}
                name={sectionName(section, text)}
                badge={
                  Badge &&
                  (section.key === "home" || section.key === "knowledge") && (
                    <Badge of={section.key} workspaceId={workspace.id} />
                  )
                }
                link={(content, shape) => (
                  <Link
                    to={section.to}
                    params={{ workspaceId: workspace.id }}
                    className={shape}
                    activeProps={{ "data-active": "" }}
                    activeOptions={{ exact: section.isExact ?? false }}
                  >
                    {content}
                  </Link>
                )}
              />
            ))}
          </ul>
        )}
        <ul className={styles.low}>
          {placesFor(user).map((place) => (
            <Entry
              key={place.key}
              isFolded={isFolded}
              icon={<place.icon size={16} strokeWidth={1.5} />}
              name={text[place.key]}
              badge={
                Badge &&
                place.key === "operations" && (
                  <Badge of="operations" workspaceId={workspace?.id ?? ""} />
                )
              }
              link={(content, shape) => (
                <Link to={place.to} className={shape} activeProps={{ "data-active": "" }}>
                  {content}
                </Link>
              )}
            />
          ))}
        </ul>
      </nav>
      <div className={styles.bottom}>
        <UserMenu isFolded={isFolded} />
        {onFold && (
          <IconButton
            size="compact"
            label={isFolded ? text.expand : text.collapse}
            shortcut="\"
            icon={<PanelLeft size={16} strokeWidth={1.5} />}
            onClick={onFold}
          />
        )}
      </div>
    </div>
  );
}

type EntryProps = {
  isFolded: boolean;
  icon: ReactNode;
  name: string;
  badge: ReactNode;
  link: (content: ReactNode, shape: string) => React.ReactElement<Record<string, unknown>>;
};

function Entry({ isFolded, icon, name, badge, link }: EntryProps) {
  const content = (
    <>
      {icon}
      <span className={styles.words}>{name}</span>
      {badge}
    </>
  );
  const element = link(content, styles.entry ?? "");
  return (
    <li>
      {isFolded ? (
        <Tooltip label={name} side="right">
          {element}
        </Tooltip>
      ) : (
        element
      )}
    </li>
  );
}
