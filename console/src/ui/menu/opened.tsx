import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { classes } from "../classes";
import { Kbd } from "../kbd/kbd";
import type { ChoiceProps, ItemProps, LinkProps, MenuProps } from "./menu";
import styles from "./menu.module.css";

/** A menu that was wanted: it begins open. */
export function OpenedMenu({
  trigger,
  align = "start",
  side = "bottom",
  isFitted,
  children,
}: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className={styles.positioner}>
          <Base.Popup className={classes(styles.popup, isFitted && styles.fitted)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuItem({
  icon,
  shortcut,
  isDangerous,
  isDisabled,
  onSelect,
  children,
}: ItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      disabled={isDisabled ?? false}
      className={classes(styles.item, isDangerous && styles.dangerous)}
    >
      {icon}
      <span className={styles.label}>{children}</span>
      {shortcut && <Kbd keys={shortcut} />}
    </Base.Item>
  );
}

/** An entry that leads to an address: an empty link, and what it says. */
export function MenuLink({ icon, link, children }: LinkProps) {
  return (
    <Base.LinkItem render={link} closeOnClick className={styles.item}>
      {icon}
      <span className={styles.label}>{children}</span>
    </Base.LinkItem>
  );
}

/** One of several, with a mark at the chosen one. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Base.Group>
      {label && <Base.GroupLabel className={styles.group}>{label}</Base.GroupLabel>}
      <Base.RadioGroup
        value={value ?? null}
        onValueChange={(chosen: unknown) => {
          const option = options.find((each) => each.value === chosen);
          if (option) onChange(option.value);
        }}
      >
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            closeOnClick
            className={styles.item}
          >
            {option.icon}
            <span className={styles.label}>
              {option.label}
              {option.hint && <span className={styles.hint}>{option.hint}</span>}
            </span>
            <Base.RadioItemIndicator className={styles.mark}>
              <Check size={14} strokeWidth={2} />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuLine() {
  return <Base.Separator className={styles.line} />;
}
