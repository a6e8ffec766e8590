import {
  setDensity,
  setLanguage,
  setLetters,
  setMotion,
  setSending,
  setTheme,
  useAppearance,
} from "../../session/appearance";
import { DENSITIES, LETTERS, MOTIONS, SENDINGS } from "../../session/local";
import { useLanguage, useText } from "../../text/catalogue";
import { THEMES } from "../../text/preference";
import { keyNames } from "../../ui/kbd/keys";
import { Section } from "../../ui/page/section";
import { Segmented } from "../../ui/segmented/segmented";
import styles from "./look.module.css";
import { accountText } from "./text";
import { Zone } from "./zone";

/** Language, theme, density, motion and time zone, each with effect at once. */
export function Look() {
  const text = useText(accountText);
  const language = useLanguage();
  const { theme, density, motion, letters, sending } = useAppearance();
  return (
    <Section title={text.look}>
      <div className={styles.row}>
        <span>{text.language}</span>
        <Segmented
          label={text.language}
          value={language}
          options={[
            { value: "en", label: text.english },
            { value: "zh", label: text.chinese },
          ]}
          onChange={(value) => void setLanguage(value)}
        />
      </div>
      <div className={styles.row}>
        <span>{text.theme}</span>
        <Segmented
          label={text.theme}
          value={theme}
          options={THEMES.map((value) => ({ value, label: text.themes[value] }))}
          onChange={setTheme}
        />
      </div>
      <div className={styles.row}>
        <span>{text.density}</span>
        <Segmented
          label={text.density}
          value={density}
          options={DENSITIES.map((value) => ({ value, label: text.densities[value] }))}
          onChange={setDensity}
        />
      </div>
      <div className={styles.row}>
        <span>{text.motion}</span>
        <Segmented
          label={text.motion}
          value={motion}
          options={MOTIONS.map((value) => ({ value, label: text.motions[value] }))}
          onChange={setMotion}
        />
      </div>
      <div className={styles.row}>
        <span>
          {text.letters}
          <span className={styles.note}>{text.lettersWhy}</span>
        </span>
        <Segmented
          label={text.letters}
          value={letters}
          options={LETTERS.map((value) => ({ value, label: text.lettersAre[value] }))}
          onChange={setLetters}
        />
      </div>
      <div className={styles.row}>
        <span>
          {text.sending}
          <span className={styles.note}>{text.sendingWhy}</span>
        </span>
        <Segmented
          label={text.sending}
          value={sending}
          options={SENDINGS.map((value) => ({
            value,
            label: keyNames(value.replace("-", "+")).join(" "),
          }))}
          onChange={setSending}
        />
      </div>
      <Zone />
    </Section>
  );
}
