import { useText } from "../../../text/catalogue";
import { Section } from "../../../ui/page/section";
import type { Plugin } from "../queries";
import { AuthForm } from "./auth-form";
import { CommonForm } from "./common-form";
import { Grant } from "./grant";
import { GroupsForm } from "./groups-form";
import { HostsForm } from "./hosts-form";
import { pluginText } from "./text";

type Props = { workspaceId: string; plugin: Plugin; canWrite: boolean };

/** What calls carry along, and where they may go. */
export function AccessTab({ workspaceId, plugin, canWrite }: Props) {
  const { access: text } = useText(pluginText);
  const isCalled = plugin.type === "http" || plugin.type === "mcp";
  return (
    <>
      {isCalled && (
        <Section title={text.auth} note={text.authNote}>
          <AuthForm plugin={plugin} canWrite={canWrite} />
          {plugin.auth.type === "oauth_authorization_code" && <Grant plugin={plugin} />}
        </Section>
      )}
      {isCalled && (
        <Section title={text.common} note={text.commonNote}>
          <CommonForm plugin={plugin} canWrite={canWrite} />
        </Section>
      )}
      <Section title={text.groups} note={text.groupsNote}>
        <GroupsForm workspaceId={workspaceId} plugin={plugin} canWrite={canWrite} />
      </Section>
      <Section title={text.hosts} note={text.hostsNote}>
        <HostsForm workspaceId={workspaceId} />
      </Section>
    </>
  );
}
