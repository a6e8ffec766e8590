import type { AuthProvider } from "../api/schema";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { providerAddress } from "./auth";
import { doorText } from "./door-text";
import styles from "./provider-buttons.module.css";

type Props = {
  providers: readonly AuthProvider[];
  /** Where a person goes on who comes back from one. */
  returnTo: string;
};

/** Single sign-on, one button for each provider. */
export function ProviderButtons({ providers, returnTo }: Props) {
  const text = useText(doorText);
  return (
    <div className={styles.providers}>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="large"
          isWide
          onClick={() => location.assign(providerAddress(id, returnTo))}
        >
          {text.by(name)}
        </Button>
      ))}
    </div>
  );
}

/** Stands between these ways in and the others. */
export function Or() {
  return <p className={styles.or}>{useText(doorText).or}</p>;
}
