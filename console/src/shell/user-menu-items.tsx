import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookMarked, CircleUser, LogOut, Scale } from "lucide-react";
import type { AnchorHTMLAttributes } from "react";
import { aboutQuery } from "../api/about";
import { setDensity, setLanguage, setTheme, useAppearance } from "../session/appearance";
import { signOut } from "../session/keeper";
import { DENSITIES } from "../session/local";
import { useSession } from "../session/session";
import { useLanguage, useText } from "../text/catalogue";
import { THEMES } from "../text/preference";
import { MenuChoice, MenuItem, MenuLine, MenuLink } from "../ui/menu/menu";
import { toast } from "../ui/toast/toasts";
import { shellText } from "./text";
import styles from "./user-menu.module.css";

/** What stands in the menu of the person, loaded when it is opened. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function UserMenuItems() {
  const text = useText(shellText);
  const { version } = useSession();
  const { theme, density } = useAppearance();
  const language = useLanguage();
  const queries = useQueryClient();
  return (
    <>
      <MenuLink icon={<CircleUser size={16} />} link={<Link to="/account" />}>
        {text.account}
      </MenuLink>
      <MenuLine />
      <MenuChoice
        label={text.theme}
        value={theme}
        options={THEMES.map((value) => ({ value, label: text[value] }))}
        onChange={setTheme}
      />
      <MenuLine />
      <MenuChoice
        label={text.language}
        value={language}
        options={[
          { value: "en", label: text.english },
          { value: "zh", label: text.chinese },
        ]}
        onChange={(value) => void setLanguage(value)}
      />
      <MenuLine />
      <MenuChoice
        label={text.density}
        value={density}
        options={DENSITIES.map((value) => ({ value, label: text.densities[value] }))}
        onChange={setDensity}
      />
      <MenuLine />
      <DocsLink />
      <MenuLink icon={<Scale size={16} />} link={<Outside address="/console/third-party.txt" />}>
        {text.licences}
      </MenuLink>
      <MenuLine />
      <MenuItem
        icon={<LogOut size={16} />}
        onSelect={() => void signOut(queries).catch(() => toast(text.signOutFailed))}
      >
        {text.signOut}
      </MenuItem>
      <p className={styles.version}>{text.version(version)}</p>
    </>
  );
}

/** The documentation of the API, where this deployment shows it to browsers. */
function DocsLink() {
  const text = useText(shellText);
  const { data: about } = useQuery(aboutQuery);
  if (!about?.docs) return null;
  return (
    <MenuLink icon={<BookMarked size={16} />} link={<Outside address={about.docs} />}>
      {text.addressOfDocs}
    </MenuLink>
  );
}

/** A page of this server beside the console, in a tab of its own. */
function Outside({
  address,
  ...rest
}: AnchorHTMLAttributes<HTMLAnchorElement> & { address: string }) {
  return <a {...rest} href={address} target="_blank" rel="noreferrer" />;
}
