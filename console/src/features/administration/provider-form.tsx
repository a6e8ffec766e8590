import { Plus, X } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import type { GroupRoleBody, Role } from "../../api/schema";
import { useRoleName } from "../../session/role-name";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { Checkbox } from "../../ui/checkbox/checkbox";
import { Combobox } from "../../ui/combobox/combobox";
import type { ComboboxOption } from "../../ui/combobox/options";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Form } from "../../ui/form/form";
import { Select } from "../../ui/select/select";
import { uiText } from "../../ui/text";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import styles from "./administration.module.css";
import { findWorkspaces, type Provider, useSaveProvider } from "./queries";
import { administrationText } from "./text";

type Props = {
  /** Absent: a new one. */
  provider?: Provider | undefined;
  onClose: () => void;
};

const ROLES: readonly Role[] = ["admin", "editor", "operator", "viewer"];

/** A provider of OpenID Connect by which people sign in. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function ProviderForm({ provider, onClose }: Props) {
  const { providers: text } = useText(administrationText);
  const { cancel } = useText(uiText);
  const [name, setName] = useState(provider?.name ?? "");
  const [issuer, setIssuer] = useState(provider?.issuer ?? "");
  const [clientId, setClientId] = useState(provider?.client_id ?? "");
  const [secret, setSecret] = useState("");
  const [claim, setClaim] = useState(provider?.groups_claim ?? "");
  const [trusts, setTrusts] = useState(provider?.trust_email ?? false);
  const [creates, setCreates] = useState(provider?.create_accounts ?? true);
  const [roles, setRoles] = useState<readonly GroupRoleBody[]>(provider?.roles ?? []);
  const { mutate, isPending, error } = useSaveProvider(provider?.id);
  const failure = failureOf(error);
  const form = useId();
  function submit(event: FormEvent): void {
    event.preventDefault();
    mutate(
      {
        name: name.trim(),
        issuer: issuer.trim(),
        client_id: clientId.trim(),
        groups_claim: claim.trim(),
        trust_email: trusts,
        create_accounts: creates,
        roles: [...roles],
        ...(secret && { client_secret: secret }),
      },
      {
        onSuccess: () => {
          toast(text.saved(name.trim()));
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="wide"
      title={provider ? text.changeTitle(provider.name) : text.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!name.trim() || !issuer.trim() || !clientId.trim()}
            isLoading={isPending}
          >
            {provider ? text.save : text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, issuer, clientId, secret, claim, trusts, creates, roles]}
        isSaving={isPending}
        id={form}
        onSubmit={submit}
        className={styles.form}
      >
        <div className={fields.pair}>
          <TextField
            label={text.name}
            hint={text.nameHint}
            value={name}
            onChange={setName}
            maxLength={50}
            autoComplete="off"
            required
            autoFocus
          />
          <TextField
            label={text.issuer}
            hint={text.issuerHint}
            type="url"
            value={issuer}
            onChange={setIssuer}
            autoComplete="off"
            required
          />
          <TextField
            label={text.clientId}
            value={clientId}
            onChange={setClientId}
            autoComplete="off"
            required
          />
          <TextField
            label={text.secret}
            hint={provider?.has_secret ? text.secretKept : text.secretHint}
            type="password"
            value={secret}
            onChange={setSecret}
            autoComplete="off"
          />
        </div>
        <Checkbox label={text.creates} isChecked={creates} onChange={setCreates} />
        <Checkbox label={text.trusts} isChecked={trusts} onChange={setTrusts} />
        <TextField
          label={text.claim}
          hint={text.claimHint}
          value={claim}
          onChange={setClaim}
          autoComplete="off"
        />
        {claim.trim() && <GroupRoles roles={roles} onChange={setRoles} />}
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              name: text.name,
              issuer: text.issuer,
              client_id: text.clientId,
              client_secret: text.secret,
              groups_claim: text.claim,
              roles: text.mapped,
            }}
          />
        )}
      </Form>
    </Dialog>
  );
}

type GroupRolesProps = {
  roles: readonly GroupRoleBody[];
  onChange: (roles: readonly GroupRoleBody[]) => void;
};

/** What the groups of a provider become in workspaces, at each sign-in. */
function GroupRoles({ roles, onChange }: GroupRolesProps) {
  const { providers: text } = useText(administrationText);
  const roleName = useRoleName();
  const [group, setGroup] = useState("");
  const [workspace, setWorkspace] = useState<ComboboxOption>();
  const [role, setRole] = useState<Role>("editor");
  function add(): void {
    if (!workspace) return;
    onChange([...roles, { group: group.trim(), workspace_id: workspace.value, role }]);
    setGroup("");
    setWorkspace(undefined);
  }
  return (
    <fieldset className={styles.mapping}>
      <legend className={styles.legend}>{text.mapped}</legend>
      {roles.map((each) => (
        <p key={`${each.group} ${each.workspace_id}`} className={styles.mapped}>
          <span>
            {each.group} {text.becomes(roleName(each.role), String(each.workspace_id))}
          </span>
          <IconButton
            size="compact"
            label={text.forget(each.group)}
            icon={<X size={14} />}
            onClick={() => onChange(roles.filter((other) => other !== each))}
          />
        </p>
      ))}
      <div className={styles.triple}>
        <TextField label={text.group} value={group} onChange={setGroup} autoComplete="off" />
        <Combobox
          label={text.workspace}
          value={workspace}
          options={findWorkspaces}
          onChange={setWorkspace}
        />
        <Select
          label={text.role}
          value={role}
          options={ROLES.map((value) => ({ value, label: roleName(value) }))}
          onChange={setRole}
        />
        <Button icon={<Plus size={16} />} disabled={!group.trim() || !workspace} onClick={add}>
          {text.add}
        </Button>
      </div>
    </fieldset>
  );
}
