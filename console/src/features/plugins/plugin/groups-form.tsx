import { failureOf } from "../../../api/list";
import { GroupField } from "../../../groups/group-field";
import { useText } from "../../../text/catalogue";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { toast } from "../../../ui/toast/toasts";
import type { Plugin } from "../queries";
import styles from "./forms.module.css";
import { useUpdatePlugin } from "./queries";
import { pluginText } from "./text";

type Props = { workspaceId: string; plugin: Plugin; canWrite: boolean };

/** Groups that a costly plugin is limited to. */
export function GroupsForm({ workspaceId, plugin, canWrite }: Props) {
  const { access: text } = useText(pluginText);
  const { mutate, isPending, error } = useUpdatePlugin(plugin.id);
  const failure = failureOf(error);
  return (
    <div className={styles.form}>
      <GroupField
        label={text.groupNames}
        hint={text.groupsHint}
        placeholder={text.everybody}
        workspaceId={workspaceId}
        ids={plugin.groups}
        isDisabled={!canWrite || isPending}
        onChange={(groups) =>
          mutate({ groups: [...groups] }, { onSuccess: () => toast(text.saved) })
        }
      />
      {failure && <ErrorLine failure={failure} />}
    </div>
  );
}
