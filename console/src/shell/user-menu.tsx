import { lazy, Suspense } from "react";
import { pictureHere } from "../api/client";
import { useSession } from "../session/session";
import { useText } from "../text/catalogue";
import { Menu } from "../ui/menu/menu";
import { Tile } from "../ui/tile/tile";
import { shellText } from "./text";
import styles from "./user-menu.module.css";

const UserMenuItems = lazy(() => import("./user-menu-items"));

/** The person: account, how the console looks and reads, and the way out. */
export function UserMenu({ isFolded }: { isFolded: boolean }) {
  const text = useText(shellText);
  const { user } = useSession();
  const name = user.nickname || user.name;
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" aria-label={text.user(name)} className={styles.user}>
          <Tile isRound name={name} image={pictureHere(user.avatar_url)} />
          {!isFolded && <span className={styles.name}>{name}</span>}
        </button>
      }
    >
      <Suspense>
        <UserMenuItems />
      </Suspense>
    </Menu>
  );
}
