import { CircleCheck, CircleX } from "lucide-react";
import type { OidcTrialItem } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { CopyButton } from "../../ui/copy/copy-button";
import { SideSheet } from "../../ui/dialog/side-sheet";
import { StateBadge } from "../../ui/state-badge/state-badge";
import styles from "./administration.module.css";
import type { Provider } from "./queries";
import { administrationText } from "./text";

type Props = { provider: Provider; said: OidcTrialItem; onClose: () => void };

/** What a provider says of itself, what it has to be told, and what its groups become here. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Trial({ provider, said, onClose }: Props) {
  const { providers: text } = useText(administrationText);
  const found: readonly (readonly [string, string])[] = [
    [text.endpoints.authorization, said.authorization_endpoint],
    [text.endpoints.token, said.token_endpoint],
    [text.endpoints.userinfo, said.userinfo_endpoint],
    [text.endpoints.signOut, said.end_session_endpoint],
    [text.keys, formatNumber(said.keys)],
    [text.claims, [...provider.scopes, provider.groups_claim].filter(Boolean).join(" · ")],
  ];
  const own: readonly (readonly [string, string])[] = [
    [text.own.redirect, provider.redirect_uri],
    [text.own.backchannel, provider.backchannel_logout_uri],
    [text.own.signOut, provider.post_logout_redirect_uri],
  ];
  return (
    <SideSheet isOpen onClose={onClose} size="wide" title={provider.name}>
      <div className={styles.sheet}>
        {said.is_usable ? (
          <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
            {text.works}
          </StateBadge>
        ) : (
          <>
            <StateBadge tone="bad" icon={<CircleX size={14} />}>
              {text.fails}
            </StateBadge>
            <p className={styles.problem}>{said.problem}</p>
          </>
        )}
        <h3 className={styles.title}>{text.says}</h3>
        <dl className={styles.facts}>
          {found.map(
            ([label, value]) =>
              value && (
                <div key={label} className={styles.fact}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        <h3 className={styles.title}>{text.tell}</h3>
        <dl className={styles.facts}>
          {own.map(([label, value]) => (
            <div key={label} className={styles.fact}>
              <dt>{label}</dt>
              <dd>
                {value} <CopyButton kind="quiet" value={value} />
              </dd>
            </div>
          ))}
        </dl>
        <h3 className={styles.title}>{text.mapped}</h3>
        {provider.roles.length === 0 ? (
          <p className={styles.note}>{text.noRoles}</p>
        ) : (
          <dl className={styles.facts}>
            {provider.roles.map((each) => (
              <div key={`${each.group} ${each.workspace_id}`} className={styles.fact}>
                <dt>{each.group}</dt>
                <dd>{text.becomes(each.role, each.workspace_id)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </SideSheet>
  );
}
