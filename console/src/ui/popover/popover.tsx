import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import { classes } from "../classes";
import menu from "../menu/menu.module.css";
import styles from "./popover.module.css";

type Props = {
  trigger: ReactElement<Record<string, unknown>>;
  label: string;
  side?: "top" | "bottom" | "left" | "right";
  align?: "start" | "center" | "end";
  /** Opens under the pointer too, for what is only looked at. */
  isOnHover?: boolean;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  children: ReactNode;
};

/** Something small beside what opened it; the page stays in reach. */
export function Popover(props: Props) {
  const { trigger, label, side = "bottom", align = "start", isOnHover, isOpen, children } = props;
  return (
    <Base.Root
      {...(isOpen === undefined ? {} : { open: isOpen })}
      {...(props.onOpenChange ? { onOpenChange: props.onOpenChange } : {})}
    >
      <Base.Trigger render={trigger} openOnHover={isOnHover ?? false} />
      <Base.Portal>
        <Base.Positioner side={side} align={align} sideOffset={6} className={menu.positioner}>
          <Base.Popup aria-label={label} className={classes(menu.popup, styles.popup)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
