import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useRef,
  useState,
} from "react";
import { useText } from "../../text/catalogue";
import { uiText } from "../text";
import styles from "./page.module.css";

const TitleField = lazy(() => import("./title-field"));

/** What the shell puts at the start of the header where the rail is hidden. */
export const NavigationSlot = createContext<ReactNode>(null);

type Props = {
  title: string;
  /** Gives what the screen is of another name, where the person may. */
  onRename?: ((name: string) => unknown) | false | undefined;
  /** Characters that its name may have. */
  longestName?: number;
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
export function Page(props: Props) {
  const { title, onRename, longestName = 50, path, context, state, actions, children } = props;
  const navigation = use(NavigationSlot);
  useEffect(() => {
    document.title = [title, context, "Coterie"].filter(Boolean).join(" · ");
  }, [title, context]);
  return (
    <>
      <header className={styles.header}>
        {navigation}
        {path && <nav className={styles.path}>{path}</nav>}
        <h1 className={styles.title}>
          {onRename ? <Renamed title={title} longest={longestName} onRename={onRename} /> : title}
        </h1>
        {state && <div className={styles.state}>{state}</div>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </>
  );
}

type RenamedProps = { title: string; longest: number; onRename: (name: string) => unknown };

/** A title that becomes a field where it is pressed. */
function Renamed({ title, longest, onRename }: RenamedProps) {
  const { rename } = useText(uiText);
  const [isEdited, setEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isFocusBack = useRef(false);
  useEffect(() => {
    if (isEdited || !isFocusBack.current) return;
    isFocusBack.current = false;
    button.current?.focus();
  }, [isEdited]);
  const press = (
    <button
      ref={button}
      type="button"
      title={rename}
      className={styles.name}
      onClick={() => setEdited(true)}
    >
      {title}
    </button>
  );
  if (!isEdited) return press;
  return (
    <Suspense fallback={press}>
      <TitleField
        title={title}
        longest={longest}
        onRename={onRename}
        onEnd={(isByKey) => {
          isFocusBack.current = isByKey;
          setEdited(false);
        }}
      />
    </Suspense>
  );
}

/** A part of a screen that scrolls and has room around it. */
export function PageBody({ children }: { children: ReactNode }) {
  return <div className={styles.body}>{children}</div>;
}
