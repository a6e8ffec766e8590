import { locale } from "./language";

/** By what they were made of: making one takes a hundred times as long as using it, and lists use many. */
function kept<Options, Formatter>(
  make: (locale: string, options: Options) => Formatter,
): (options: Options) => Formatter {
  const known = new Map<string, Formatter>();
  return (options) => {
    const key = `${locale()} ${JSON.stringify(options)}`;
    const found = known.get(key);
    if (found) return found;
    const made = make(locale(), options);
    known.set(key, made);
    return made;
  };
}

/** Formatters of the language that is shown. */
export const dateFormat = kept(
  (name, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(name, options),
);
export const numberFormat = kept(
  (name, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(name, options),
);
export const relativeFormat = kept(
  (name, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(name, options),
);
export const pluralRules = kept(
  (name, options: Intl.PluralRulesOptions) => new Intl.PluralRules(name, options),
);
