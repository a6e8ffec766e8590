import { useSyncExternalStore } from "react";
import { switchLanguage } from "../text/catalogue";
import { currentLanguage, type Language } from "../text/language";
import { keepPreference, pagePreference, type Theme } from "../text/preference";
import {
  type Density,
  density,
  type Letters,
  letters,
  type Motion,
  motion,
  type Pointing,
  pointing,
  type Sending,
  sending,
} from "./local";

type Appearance = {
  theme: Theme;
  density: Density;
  motion: Motion;
  letters: Letters;
  /** Which keys send a question. */
  sending: Sending;
  pointing: Pointing;
};

let appearance: Appearance = {
  theme: "system",
  density: "comfortable",
  motion: "system",
  letters: "commands",
  sending: "enter",
  pointing: "trackpad",
};
const listeners = new Set<() => void>();

function publish(next: Appearance): void {
  appearance = next;
  const root = document.documentElement;
  root.classList.remove("system", "light", "dark");
  root.classList.add(next.theme);
  root.dataset["density"] = next.density;
  root.dataset["motion"] = next.motion;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Takes over what the page was written with; texts follow when they are loaded. */
export async function beginAppearance(): Promise<void> {
  const { language, theme } = pagePreference();
  publish({
    theme,
    density: density.read(),
    motion: motion.read(),
    letters: letters.read(),
    sending: sending.read(),
    pointing: pointing.read(),
  });
  await switchLanguage(language);
}

export function useAppearance(): Appearance {
  return useSyncExternalStore(subscribe, () => appearance);
}

export function setTheme(theme: Theme): void {
  keepPreference(currentLanguage(), theme);
  publish({ ...appearance, theme });
}

export function setDensity(value: Density): void {
  density.write(value);
  publish({ ...appearance, density: value });
}

/** Whether nothing may move, as whoever sits here has asked this page or the system. */
export function isStill(): boolean {
  return appearance.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Lets nothing move, or only what the system lets move. */
export function setMotion(value: Motion): void {
  motion.write(value);
  publish({ ...appearance, motion: value });
}

/** Whether single letters are commands where nothing is written; who speaks to a machine may not want that. */
export function hasLetters(): boolean {
  return appearance.letters === "commands";
}

export function setLetters(value: Letters): void {
  letters.write(value);
  publish({ ...appearance, letters: value });
}

export function setSending(value: Sending): void {
  sending.write(value);
  publish({ ...appearance, sending: value });
}

/** Says what is in the hand of whoever moves about on a canvas. */
export function setPointing(value: Pointing): void {
  pointing.write(value);
  publish({ ...appearance, pointing: value });
}

export async function setLanguage(language: Language): Promise<void> {
  keepPreference(language, appearance.theme);
  await switchLanguage(language);
}
