import { pictureHere } from "../../api/client";
import { useRoleName } from "../../session/role-name";
import { useSession } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Page, PageBody } from "../../ui/page/page";
import { Section } from "../../ui/page/section";
import { Tile } from "../../ui/tile/tile";
import styles from "./account.module.css";
import { Deleted } from "./deleted";
import { Look } from "./look";
import { OwnTokens } from "./own-tokens";
import { Password } from "./password";
import { Person } from "./person";
import { Picture } from "./picture";
import { Sessions } from "./sessions";
import { Stored } from "./stored";
import { accountText } from "./text";

/** One's own account. */
export function Account() {
  const text = useText(accountText);
  const { user, workspaces } = useSession();
  const name = user.nickname || user.name;
  const roleName = useRoleName();
  return (
    <Page title={text.title}>
      <PageBody>
        <div className={styles.column}>
          <div className={styles.person}>
            <Tile size="large" isRound name={name} image={pictureHere(user.avatar_url)} />
            <div>
              <p className={styles.name}>{name}</p>
              <p className={styles.note}>
                {user.name}
                {user.is_admin && ` · ${text.administrator}`}
              </p>
              <Picture />
            </div>
          </div>
          <Person />
          <Look />
          <Section title={text.workspaces}>
            <ul className={styles.list}>
              {workspaces.map((each) => (
                <li key={each.id} className={styles.row}>
                  <Tile size="small" name={each.name} image={pictureHere(each.icon_url)} />
                  <span className={styles.grow}>{each.name}</span>
                  <span className={styles.note}>{roleName(each.role)}</span>
                </li>
              ))}
            </ul>
          </Section>
          <Deleted />
          <OwnTokens />
          <Sessions />
          <Password />
          <Stored />
        </div>
      </PageBody>
    </Page>
  );
}
