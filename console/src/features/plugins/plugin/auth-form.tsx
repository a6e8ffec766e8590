import { type FormEvent, useState } from "react";
import { failureOf } from "../../../api/list";
import type { SetAuth } from "../../../api/schema";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Form } from "../../../ui/form/form";
import { Select } from "../../../ui/select/select";
import { Switch } from "../../../ui/switch/switch";
import { TextField } from "../../../ui/text-field/text-field";
import { toast } from "../../../ui/toast/toasts";
import type { Plugin } from "../queries";
import styles from "./forms.module.css";
import { useSetAuth } from "./queries";
import { pluginText } from "./text";

const TYPES = ["none", "service", "oauth_client_credentials", "oauth_authorization_code"] as const;
const PLACES = ["header", "query"] as const;

type Props = { plugin: Plugin; canWrite: boolean };

/** How calls prove who they are; secrets are written and never shown. */
export function AuthForm({ plugin, canWrite }: Props) {
  const { access: text } = useText(pluginText);
  const { credential, ...known } = plugin.auth;
  const [auth, setAuth] = useState<SetAuth>({ ...known, token: "", client_secret: "" });
  const save = useSetAuth(plugin.id);
  const failure = failureOf(save.error);
  const isChanged =
    JSON.stringify(auth) !== JSON.stringify({ ...known, token: "", client_secret: "" });
  const put = (change: Partial<SetAuth>) => setAuth({ ...auth, ...change });
  const isStored = credential !== "" && auth.type === known.type;
  const kept = isStored ? text.kept(credential) : undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(auth, {
      onSuccess: () => {
        put({ token: "", client_secret: "" });
        toast(text.saved);
      },
    });
  }
  return (
    <Form isChanged={isChanged} isSaving={save.isPending} onSubmit={submit} className={styles.form}>
      <Select
        label={text.type}
        value={auth.type}
        options={TYPES.map((value) => ({ value, label: text.types[value] }))}
        onChange={(type) => put({ type })}
        isDisabled={!canWrite}
      />
      {auth.type === "service" && (
        <>
          <div className={styles.pair}>
            <Select
              label={text.place}
              value={auth.location === "query" ? "query" : "header"}
              options={PLACES.map((value) => ({ value, label: text.places[value] }))}
              onChange={(location) => put({ location })}
              isDisabled={!canWrite}
            />
            <TextField
              label={text.key}
              value={auth.key}
              onChange={(key) => put({ key })}
              autoComplete="off"
              disabled={!canWrite}
              required
            />
          </div>
          <TextField
            label={text.token}
            hint={kept ?? text.tokenHint}
            type="password"
            value={auth.token}
            onChange={(token) => put({ token })}
            autoComplete="new-password"
            disabled={!canWrite}
            required={!isStored}
          />
        </>
      )}
      {(auth.type === "oauth_client_credentials" || auth.type === "oauth_authorization_code") && (
        <OAuthFields auth={auth} kept={kept} canWrite={canWrite} onChange={put} />
      )}
      {failure && (
        <ErrorLine
          failure={failure}
          labels={{
            auth: text.type,
            type: text.type,
            location: text.place,
            key: text.key,
            token: text.token,
            client_id: text.clientId,
            client_secret: text.clientSecret,
            authorization_url: text.authorizationUrl,
            client_url: text.tokenUrl,
            scope: text.scope,
          }}
        />
      )}
      {canWrite && (
        <div>
          <Button type="submit" disabled={!isChanged} isLoading={save.isPending}>
            {text.save}
          </Button>
        </div>
      )}
    </Form>
  );
}

type OAuthProps = {
  auth: SetAuth;
  kept: string | undefined;
  canWrite: boolean;
  onChange: (change: Partial<SetAuth>) => void;
};

function OAuthFields({ auth, kept, canWrite, onChange }: OAuthProps) {
  const { access: text } = useText(pluginText);
  const isOfUsers = auth.type === "oauth_authorization_code";
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label={text.clientId}
          value={auth.client_id}
          onChange={(client_id) => onChange({ client_id })}
          autoComplete="off"
          disabled={!canWrite}
          required
        />
        <TextField
          label={text.clientSecret}
          {...(kept ? { hint: kept } : {})}
          type="password"
          value={auth.client_secret}
          onChange={(client_secret) => onChange({ client_secret })}
          autoComplete="new-password"
          disabled={!canWrite}
        />
      </div>
      {isOfUsers && (
        <TextField
          label={text.authorizationUrl}
          type="url"
          value={auth.authorization_url}
          onChange={(authorization_url) => onChange({ authorization_url })}
          autoComplete="off"
          disabled={!canWrite}
          required
        />
      )}
      <TextField
        label={text.tokenUrl}
        type="url"
        value={auth.client_url}
        onChange={(client_url) => onChange({ client_url })}
        autoComplete="off"
        disabled={!canWrite}
        required
      />
      <TextField
        label={text.scope}
        hint={text.scopeHint}
        value={auth.scope}
        onChange={(scope) => onChange({ scope })}
        autoComplete="off"
        disabled={!canWrite}
      />
      {isOfUsers && (
        <Switch
          label={text.shared}
          hint={text.sharedHint}
          isOn={auth.shared}
          isDisabled={!canWrite}
          onChange={(shared) => onChange({ shared })}
        />
      )}
    </>
  );
}
