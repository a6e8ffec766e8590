import { Plus, X } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { formatExact, formatNumber } from "../../../text/formats";
import { Button } from "../../../ui/button/button";
import { IconButton } from "../../../ui/button/icon-button";
import { NumberField } from "../../../ui/number/number-field";
import { TextField } from "../../../ui/text-field/text-field";
import { type Model, usePrices } from "../queries";
import type { ModelEdit, TierEdit } from "./edit";
import styles from "./model-screen.module.css";
import { modelText } from "./text";

const FREE: TierEdit = { upto: undefined, input: "", output: "", cached: "" };

type Props = {
  model: Model | undefined;
  edit: ModelEdit;
  isDisabled: boolean;
  onEdit: (change: Partial<ModelEdit>) => void;
};

/** What a call costs from now on, and what it cost before. */
export function Prices({ model, edit, isDisabled, onEdit }: Props) {
  const { prices: text } = useText(modelText);
  const versions = usePrices(model?.id) ?? [];
  const currency = versions[0]?.currency;
  const unit = formatNumber(model?.settings?.prices.unit ?? 1_000_000);
  const { money } = edit;
  const put = (index: number, change: Partial<TierEdit>) =>
    onEdit({ money: money.map((tier, at) => (at === index ? { ...tier, ...change } : tier)) });
  return (
    <section aria-label={text.title} className={styles.part}>
      <h2 className={styles.title}>{text.title}</h2>
      <p className={styles.note}>{money.length > 0 ? text.per(unit, currency) : text.none}</p>
      {money.map((tier, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tiers have no other name than their place
        <div key={index} className={styles.tier}>
          <NumberField
            label={text.upto}
            value={tier.upto}
            min={1}
            step={1000}
            placeholder={text.anyLength}
            isDisabled={isDisabled}
            onChange={(upto) => put(index, { upto })}
          />
          {(["input", "output", "cached"] as const).map((name) => (
            <TextField
              key={name}
              label={text[name]}
              value={tier[name]}
              inputMode="decimal"
              autoComplete="off"
              placeholder={name === "cached" ? text.asInput : "0"}
              disabled={isDisabled}
              onChange={(value) => put(index, { [name]: value })}
            />
          ))}
          {!isDisabled && (
            <IconButton
              label={text.remove(index + 1)}
              icon={<X size={16} />}
              onClick={() => onEdit({ money: money.filter((_, at) => at !== index) })}
            />
          )}
        </div>
      ))}
      {!isDisabled && (
        <div>
          <Button
            size="compact"
            icon={<Plus size={16} />}
            onClick={() => onEdit({ money: [...money, FREE] })}
          >
            {money.length > 0 ? text.addTier : text.set}
          </Button>
        </div>
      )}
      {versions.length > 0 && (
        <table className={styles.versions}>
          <caption className={styles.note}>{text.versions}</caption>
          <thead>
            <tr>
              <th scope="col">{text.since}</th>
              <th scope="col">{text.input}</th>
              <th scope="col">{text.output}</th>
              <th scope="col">{text.cached}</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((version) => {
              const [first, ...more] = version.money;
              return (
                <tr key={version.number}>
                  <td>{formatExact(version.created_at)}</td>
                  <td>
                    {first?.input ?? "–"}
                    {more.length > 0 && ` ${text.tiers(more.length + 1)}`}
                  </td>
                  <td>{first?.output ?? "–"}</td>
                  <td>{first?.cached_input ?? "–"}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}
