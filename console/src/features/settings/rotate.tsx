import { useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { type ServiceToken, useRotateServiceToken } from "../../tokens/queries";
import { tokensText } from "../../tokens/text";
import { TokenShown } from "../../tokens/token-shown";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import fields from "../../ui/field/fields.module.css";
import { Select } from "../../ui/select/select";
import { uiText } from "../../ui/text";

const OVERLAPS = ["0", "3600", "86400", "604800"] as const;

/** Another text for a service token, while the old one goes on for a while. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function Rotate({ token, onClose }: { token: ServiceToken; onClose: () => void }) {
  const { tokens: text } = useText(tokensText);
  const { cancel } = useText(uiText);
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>("3600");
  const { mutate, data, isPending, error } = useRotateServiceToken();
  const failure = failureOf(error);
  if (data) {
    return (
      <TokenShown
        token={data.token}
        workspaceId={token.workspace_id}
        agentId={token.bot_ids?.[0]}
        isForChat={!token.permissions.includes("bot.read")}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.rotateTitle(token.name)}
      actions={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            kind="primary"
            isLoading={isPending}
            onClick={() => mutate({ id: token.id, overlapS: Number(overlap) })}
          >
            {text.rotateVerb}
          </Button>
        </>
      }
    >
      <div className={fields.fields}>
        <Select
          label={text.overlap}
          value={overlap}
          options={OVERLAPS.map((value) => ({ value, label: text.overlaps[value] }))}
          onChange={setOverlap}
        />
        {failure && <ErrorLine failure={failure} labels={{ overlap_s: text.overlap }} />}
      </div>
    </Dialog>
  );
}
