import { FlaskConical, KeyRound, Pencil } from "lucide-react";
import { lazy, Suspense, useMemo, useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { ErrorLine } from "../../ui/error-state/error-line";
import { ListWithCreate } from "../../ui/list/list-with-create";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { type Provider, useDeleteProvider, useProviders, useTryProvider } from "./queries";
import { administrationText } from "./text";

const ProviderForm = lazy(() => import("./provider-form"));
const Trial = lazy(() => import("./trial"));

/** By whom people sign in, besides with a password. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Providers() {
  const { providers: text } = useText(administrationText);
  const list = useProviders();
  const columns = useColumns();
  const remove = useDeleteProvider();
  const trial = useTryProvider();
  const [isMaking, setMaking] = useState(false);
  const [changed, setChanged] = useState<Provider>();
  const [doomed, setDoomed] = useState<Provider>();
  const failure = failureOf(trial.error);
  return (
    <>
      <ListWithCreate
        title={text.label}
        list={list}
        words={text}
        drawing={KeyRound}
        onCreate={() => setMaking(true)}
        above={failure && <ErrorLine failure={failure} />}
        columns={columns}
        keyOf={(provider) => provider.id}
        menu={(provider) => (
          <RowMenu
            name={provider.name}
            id={provider.id}
            deleteVerb={text.removeVerb}
            onDelete={provider.is_read_only ? undefined : () => setDoomed(provider)}
          >
            <MenuItem icon={<FlaskConical size={16} />} onSelect={() => trial.mutate(provider)}>
              {text.tryIt}
            </MenuItem>
            {!provider.is_read_only && (
              <MenuItem icon={<Pencil size={16} />} onSelect={() => setChanged(provider)}>
                {text.change}
              </MenuItem>
            )}
          </RowMenu>
        )}
        onKey={(key, provider) => {
          if (key === "Enter") trial.mutate(provider);
          if (key === "e" && !provider.is_read_only) setChanged(provider);
          if (key === "Delete" && !provider.is_read_only) setDoomed(provider);
        }}
      />
      <Suspense>
        {isMaking && <ProviderForm onClose={() => setMaking(false)} />}
        {changed && <ProviderForm provider={changed} onClose={() => setChanged(undefined)} />}
        {trial.data && (
          <Trial provider={trial.data.provider} said={trial.data.said} onClose={trial.reset} />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.name}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

function useColumns(): readonly Column<Provider>[] {
  const { providers: text } = useText(administrationText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(180px, 1fr)",
        render: (provider) => (
          <NameCell
            tile={<Tile name={provider.name} icon={<KeyRound size={14} />} />}
            name={provider.name}
            note={provider.is_read_only ? text.ofFile : undefined}
          />
        ),
      },
      {
        key: "issuer",
        label: text.columns.issuer,
        width: "minmax(180px, 1.4fr)",
        leaveOut: "narrow",
        render: (provider) => provider.issuer,
      },
      {
        key: "accounts",
        label: text.columns.accounts,
        width: "176px",
        leaveOut: "medium",
        render: (provider) => (provider.create_accounts ? text.makesAccounts : text.knownOnly),
      },
      {
        key: "roles",
        label: text.columns.roles,
        width: "80px",
        isNumber: true,
        leaveOut: "medium",
        render: (provider) => text.roleCount(provider.roles.length),
      },
    ],
    [text],
  );
}
