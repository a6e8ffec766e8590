import type { Permission } from "../session/session";
import { useText } from "../text/catalogue";
import { Checkbox } from "../ui/checkbox/checkbox";
import { GROUPS, SCOPE_GROUPS } from "./scopes";
import { tokensText } from "./text";
import styles from "./tokens.module.css";

type Props = {
  /** What there is to give. */
  mine: readonly Permission[];
  scopes: readonly Permission[];
  onChange: (scopes: readonly Permission[]) => void;
};

/** Permissions in words, to be picked one by one. */
export function ScopeList({ mine, scopes, onChange }: Props) {
  const text = useText(tokensText);
  return (
    <details className={styles.details}>
      <summary className={styles.summary}>{text.tokens.scopes(scopes.length)}</summary>
      <div className={styles.scopes}>
        {GROUPS.map((group) => {
          const offered = SCOPE_GROUPS[group].filter((each) => mine.includes(each));
          if (offered.length === 0) return null;
          return (
            <fieldset key={group} className={styles.group}>
              <legend className={styles.groupName}>{text.scopeGroups[group]}</legend>
              {offered.map((scope) => (
                <Checkbox
                  key={scope}
                  label={text.scopes[scope]}
                  isChecked={scopes.includes(scope)}
                  onChange={(isChecked) =>
                    onChange(
                      isChecked ? [...scopes, scope] : scopes.filter((each) => each !== scope),
                    )
                  }
                />
              ))}
            </fieldset>
          );
        })}
      </div>
    </details>
  );
}
