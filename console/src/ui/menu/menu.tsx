import {
  cloneElement,
  type KeyboardEvent,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  startTransition,
  useState,
} from "react";

export type MenuProps = {
  trigger: ReactElement<Record<string, unknown>>;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
  /** Takes the width of what opens it, at least. */
  isFitted?: boolean;
  /** Somebody comes near what opens it: what it will show can be asked for. */
  onNear?: () => void;
  children: ReactNode;
};

export type ItemProps = {
  icon?: ReactNode;
  shortcut?: string;
  isDangerous?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
};

export type LinkProps = { icon?: ReactNode; link: ReactElement; children: ReactNode };

export type ChoiceProps<T extends string> = {
  label?: string;
  value: T | undefined;
  options: readonly { value: T; label: string; icon?: ReactNode; hint?: string }[];
  onChange: (value: T) => void;
};

const load = () => import("./opened");
const OpenedMenu = lazy(async () => ({ default: (await load()).OpenedMenu }));
const Item = lazy(async () => ({ default: (await load()).MenuItem }));
const LinkItem = lazy(async () => ({ default: (await load()).MenuLink }));
const Choice = lazy(async () => ({ default: (await load()).MenuChoice<string> }));
const Line = lazy(async () => ({ default: (await load()).MenuLine }));

/** Choices that open from a control; what opens them is loaded when somebody comes near. */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const open = () => startTransition(() => setWanted(true));
  const near = () => {
    void load();
    props.onNear?.();
  };
  const closed = cloneElement(props.trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: near,
    onFocus: near,
    onClick: open,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      open();
    },
  });
  return <Suspense fallback={closed}>{isWanted ? <OpenedMenu {...props} /> : closed}</Suspense>;
}

export function MenuItem(props: ItemProps) {
  return <Item {...props} />;
}

/** An entry that leads to an address: an empty link, and what it says. */
export function MenuLink(props: LinkProps) {
  return <LinkItem {...props} />;
}

/** One of several, with a mark at the chosen one. */
export function MenuChoice<T extends string>({ onChange, ...props }: ChoiceProps<T>) {
  function choose(value: string): void {
    const option = props.options.find((each) => each.value === value);
    if (option) onChange(option.value);
  }
  return <Choice {...props} onChange={choose} />;
}

export function MenuLine() {
  return <Line />;
}
