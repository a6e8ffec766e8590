import { cloneElement, type ToggleEvent, useId, useRef } from "react";
import { classes } from "../classes";
import menu from "../menu/menu.module.css";
import type { Popover as Full } from "../popover/popover";
import styles from "./light.module.css";

const EDGE_PX = 8;
const GAP_PX = 6;

/** The browser's own popover: it closes by Esc and by a press elsewhere. */
export const Popover: typeof Full = ({ trigger, label, isOnHover, children }) => {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const own = () => document.querySelector(`[popovertarget="${id}"]`);
  function place({ newState }: ToggleEvent): void {
    const [popup, around] = [box.current, own()?.getBoundingClientRect()];
    if (newState !== "open" || !popup || !around) return;
    const { width, height } = popup.getBoundingClientRect();
    const above = around.top - height - GAP_PX;
    popup.style.left = `${Math.max(EDGE_PX, Math.min(around.left, innerWidth - width - EDGE_PX))}px`;
    popup.style.top = `${above < EDGE_PX ? around.bottom + GAP_PX : above}px`;
  }
  const hover = isOnHover
    ? {
        onMouseEnter: () => box.current?.showPopover(),
        onMouseLeave: () => box.current?.hidePopover(),
      }
    : {};
  return (
    <>
      {cloneElement(trigger, { popoverTarget: id, ...hover })}
      <div
        ref={box}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={place}
        className={classes(menu.popup, styles.popup)}
      >
        {children}
      </div>
    </>
  );
};
