import { type ReactNode, useId } from "react";
import { useText } from "../../../text/catalogue";
import { formatNumber } from "../../../text/formats";
import { BarList } from "../../../ui/bar-list/bar-list";
import { Histogram } from "../../../ui/histogram/histogram";
import { binsOf, countOf, FLAWS, type Flaw, lengthsKey, scriptKey, unfit } from "./figure";
import styles from "./figures.module.css";
import type { Health } from "./queries";
import { qualityText } from "./text";

type Props = {
  health: Health;
  chosen: string | undefined;
  onChoose: (of: string) => void;
};

/** What is wrong with slices, how long they are and in which languages, as pictures. */
export function Figures({ health, chosen, onChoose }: Props) {
  const text = useText(qualityText);
  const { examined, languages, lengths, sampled } = health;
  const names: Readonly<Record<string, string>> = text.scripts;
  const unfits = unfit(health);
  const why = (flaw: Flaw) => text.why[flaw](flaw === "empty" ? health.shortest : health.longest);
  return (
    <>
      <header>
        <p className={styles.count}>{text.slices(health.slices)}</p>
        {examined < health.slices && <p className={styles.note}>{text.youngest(examined)}</p>}
      </header>
      <Figure title={text.flaws}>
        <BarList
          label={text.flaws}
          chosen={chosen}
          onChoose={onChoose}
          bars={FLAWS.map((flaw) => ({
            key: flaw,
            label: text.flaw[flaw],
            hint: why(flaw),
            value: formatNumber(countOf(health, flaw)),
            share: countOf(health, flaw) / examined,
            tone: flaw === "never_found" ? "neutral" : "warn",
          }))}
        />
      </Figure>
      <Figure title={text.lengths} note={text.characters}>
        <Histogram
          isTall
          label={text.lengths}
          bars={lengths.map((bin, index) => ({
            key: String(bin.at_least),
            label: text.bar(
              text.between(bin.at_least, lengths[index + 1]?.at_least),
              text.slices(bin.count),
            ),
            count: bin.count,
            bad: unfits[index] ?? 0,
          }))}
          ticks={lengths.map((bin) => formatNumber(bin.at_least))}
          chosen={chosen === undefined ? undefined : binsOf(health, chosen)}
          onNarrow={(first, last) => onChoose(lengthsKey(health, first, last))}
        />
      </Figure>
      <Figure title={text.languages} note={sampled < examined ? text.sampled(sampled) : text.whole}>
        <BarList
          label={text.languages}
          chosen={chosen}
          onChoose={onChoose}
          bars={languages.map(({ script, count }) => ({
            key: scriptKey(script),
            label: names[script] ?? script,
            value: formatNumber(count),
            share: count / sampled,
          }))}
        />
      </Figure>
    </>
  );
}

function Figure({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.part}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {note && <span className={styles.note}>{note}</span>}
      </div>
      {children}
    </section>
  );
}
