import { CircleCheck, CircleX } from "lucide-react";
import type { OidcTrialItem } from "../../api/schema";
import { useText } from "../../text/catalogue";
import { formatNames, formatNumber } from "../../text/formats";
import { CopyButton } from "../../ui/copy/copy-button";
import { SideSheet } from "../../ui/dialog/side-sheet";
import { type Fact, Facts } from "../../ui/facts/facts";
import { StateBadge } from "../../ui/state-badge/state-badge";
import styles from "./administration.module.css";
import type { Provider } from "./queries";
import { administrationText } from "./text";

type Props = { provider: Provider; said: OidcTrialItem; onClose: () => void };

/** What a provider says of itself, what it has to be told, and what its groups become here. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Trial({ provider, said, onClose }: Props) {
  const { providers: text } = useText(administrationText);
  const found: readonly Fact[] = [
    [text.endpoints.authorization, said.authorization_endpoint],
    [text.endpoints.token, said.token_endpoint],
    [text.endpoints.userinfo, said.userinfo_endpoint],
    [text.endpoints.signOut, said.end_session_endpoint],
    [text.keys, formatNumber(said.keys)],
    [text.claims, [...provider.scopes, provider.groups_claim].filter(Boolean).join(" · ")],
  ];
  const own: readonly Fact[] = [
    [text.own.redirect, <Copied key="redirect" value={provider.redirect_uri} />],
    [text.own.backchannel, <Copied key="backchannel" value={provider.backchannel_logout_uri} />],
    [text.own.signOut, <Copied key="sign-out" value={provider.post_logout_redirect_uri} />],
  ];
  const becomes = new Map<string, string[]>();
  for (const { group, role, workspace_id } of provider.roles) {
    const told = text.becomes(role, workspace_id);
    becomes.set(group, [...(becomes.get(group) ?? []), told]);
  }
  const mapped: readonly Fact[] = [...becomes].map(([group, told]) => [group, formatNames(told)]);
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
        <Facts facts={found} />
        <h3 className={styles.title}>{text.tell}</h3>
        <Facts facts={own} />
        <h3 className={styles.title}>{text.mapped}</h3>
        {provider.roles.length === 0 ? (
          <p className={styles.note}>{text.noRoles}</p>
        ) : (
          <Facts facts={mapped} />
        )}
      </div>
    </SideSheet>
  );
}

function Copied({ value }: { value: string }) {
  return (
    <>
      {value} <CopyButton kind="quiet" value={value} />
    </>
  );
}
