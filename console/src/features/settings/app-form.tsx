import { type FormEvent, useId, useState } from "react";
import { failureOf } from "../../api/list";
import type { ClientType } from "../../api/schema";
import type { Permission, Workspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { ScopeList } from "../../tokens/scope-list";
import { scopesOf } from "../../tokens/scopes";
import { tokensText } from "../../tokens/text";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Form } from "../../ui/form/form";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { uiText } from "../../ui/text";
import { TextArea } from "../../ui/text-field/text-area";
import { TextField } from "../../ui/text-field/text-field";
import { toast } from "../../ui/toast/toasts";
import { type App, useChangeApp, useCreateApp } from "./app-queries";
import { AppShown } from "./app-shown";
import { settingsText } from "./text";

type Props = {
  workspace: Workspace;
  /** Absent: a new one. */
  app?: App | undefined;
  onClose: () => void;
};

const TYPES = ["web", "pkce", "device", "jwt"] as const;

/** A program that may ask people for access, or that acts for the workspace with its key. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function AppForm({ workspace, app, onClose }: Props) {
  const { apps: text } = useText(settingsText);
  const { appTypes } = useText(tokensText);
  const { cancel } = useText(uiText);
  const mine = workspace.permissions.filter((each) => each !== "admin");
  const [name, setName] = useState(app?.name ?? "");
  const [type, setType] = useState<ClientType>(app?.type ?? "web");
  const [scopes, setScopes] = useState<readonly Permission[]>(
    app?.permissions ?? scopesOf("chat", mine) ?? [],
  );
  const [addresses, setAddresses] = useState(app?.redirect_uris.join("\n") ?? "");
  const [key, setKey] = useState("");
  const create = useCreateApp(workspace.id);
  const change = useChangeApp();
  const failure = failureOf(create.error ?? change.error);
  const form = useId();
  if (create.data) return <AppShown app={create.data} onClose={onClose} />;
  const redirects = type === "web" || type === "pkce";
  const redirect_uris = addresses
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const isComplete =
    name.trim() !== "" &&
    scopes.length > 0 &&
    (!redirects || redirect_uris.length > 0) &&
    (type !== "jwt" || app !== undefined || key.trim() !== "");
  function submit(event: FormEvent): void {
    event.preventDefault();
    const common = {
      name: name.trim(),
      permissions: [...scopes],
      ...(redirects && { redirect_uris }),
      ...(type === "jwt" && key.trim() && { public_key: key.trim() }),
    };
    if (app) {
      change.mutate(
        { id: app.id, body: common },
        {
          onSuccess: () => {
            toast(text.saved);
            onClose();
          },
        },
      );
    } else create.mutate({ ...common, type, allows_plain: false });
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={app ? text.changeTitle(app.name) : text.createTitle}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            type="submit"
            form={form}
            disabled={!isComplete}
            isLoading={create.isPending || change.isPending}
          >
            {app ? text.save : text.createVerb}
          </Button>
        </>
      }
    >
      <Form
        entered={[name, type, scopes, addresses, key]}
        isSaving={create.isPending || change.isPending}
        id={form}
        onSubmit={submit}
        className={fields.fields}
      >
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
        {!app && (
          <RadioCards
            label={text.type}
            columns={2}
            value={type}
            options={TYPES.map((value) => ({
              value,
              label: appTypes[value],
              note: text.typesMean[value],
            }))}
            onChange={setType}
          />
        )}
        {redirects && (
          <TextArea
            label={text.redirects}
            hint={text.redirectsHint}
            value={addresses}
            onChange={setAddresses}
            isShort
            isCode
            spellCheck={false}
          />
        )}
        {type === "jwt" && (
          <TextArea
            label={text.key}
            hint={app ? text.keyKept : text.keyHint}
            value={key}
            onChange={setKey}
            isShort
            isCode
            spellCheck={false}
          />
        )}
        <ScopeList mine={mine} scopes={scopes} onChange={setScopes} />
        {failure && (
          <ErrorLine
            failure={failure}
            labels={{
              name: text.name,
              type: text.type,
              redirect_uris: text.redirects,
              public_key: text.key,
            }}
          />
        )}
      </Form>
    </Dialog>
  );
}
