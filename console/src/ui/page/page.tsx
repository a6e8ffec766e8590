import { createContext, type ReactNode, use, useEffect } from "react";
import styles from "./page.module.css";

/** What the shell puts at the start of the header where the rail is hidden. */
export const NavigationSlot = createContext<ReactNode>(null);

type Props = {
  title: string;
  /** The links to what the screen is a part of, outermost first. */
  path?: ReactNode;
  /** What the tab of the browser says after the title. */
  context?: string;
  state?: ReactNode;
  /** At most two buttons and a menu. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A screen: its header, and what fills the rest. */
export function Page({ title, path, context, state, actions, children }: Props) {
  const navigation = use(NavigationSlot);
  useEffect(() => {
    document.title = [title, context, "Coterie"].filter(Boolean).join(" · ");
  }, [title, context]);
  return (
    <>
      <header className={styles.header}>
        {navigation}
        {path && <nav className={styles.path}>{path}</nav>}
        <h1 className={styles.title}>{title}</h1>
        {state && <div className={styles.state}>{state}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** A part of a screen that scrolls and has room around it. */
export function PageBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}
