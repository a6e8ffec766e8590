import { failureOf } from "../../../api/list";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Section } from "../../../ui/page/section";
import { RadioCards } from "../../../ui/radio-cards/radio-cards";
import { Command } from "../../../ui/text-field/command";
import { TextArea } from "../../../ui/text-field/text-area";
import { TextField } from "../../../ui/text-field/text-field";
import { type Link, useDrawKey } from "../queries";
import { linksText } from "../text";
import type { PartProps } from "./draft";
import styles from "./editor.module.css";

const WAYS = ["none", "password", "sign_in", "user_token", "hook"] as const;

/** Whom a link lets in. */
export function Access({ draft, onChange, link }: PartProps & { link: Link }) {
  const text = useText(linksText);
  return (
    <Section title={text.parts.access}>
      <RadioCards
        label={text.columns.access}
        isLabelHidden
        value={draft.auth}
        options={WAYS.map((value) => ({
          value,
          label: text.auth[value],
          note: text.authMay[value],
        }))}
        onChange={(auth) => onChange({ auth })}
      />
      {draft.auth === "password" && (
        <TextField
          label={text.password}
          hint={link.has_password ? text.passwordKept : text.passwordHint}
          value={draft.password}
          onChange={(password) => onChange({ password })}
          maxLength={256}
          autoComplete="off"
        />
      )}
      {draft.auth === "user_token" && (
        <>
          <Key link={link} />
          <TextArea
            label={text.publicKey}
            value={draft.public_key}
            onChange={(public_key) => onChange({ public_key })}
            isShort
            isCode
          />
        </>
      )}
      {draft.auth === "hook" && (
        <TextField
          label={text.hookUrl}
          hint={text.hookHint}
          value={draft.hook_url}
          onChange={(hook_url) => onChange({ hook_url })}
          inputMode="url"
        />
      )}
      <p className={styles.note}>{text.admissionEnds}</p>
    </Section>
  );
}

function Key({ link }: { link: Link }) {
  const text = useText(linksText);
  const { mutate, data, isPending, error } = useDrawKey(link.id);
  const failure = failureOf(error);
  return (
    <div className={styles.key}>
      <p>{text.key}</p>
      <p className={styles.note}>
        {link.key_last4 ? text.keySet(link.key_last4) : text.keyNone} {text.keyWhy}
      </p>
      {data && <Command command={data.key} />}
      {failure && <ErrorLine failure={failure} />}
      <Button isLoading={isPending} onClick={() => mutate()}>
        {text.keyDraw}
      </Button>
    </div>
  );
}
