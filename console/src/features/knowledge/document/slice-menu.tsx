import { ArrowDown, ArrowUp, Merge, Power, Undo2 } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { RowMenu } from "../../../ui/list/row-menu";
import { MenuItem } from "../../../ui/menu/menu";
import type { Slice, SliceChange } from "./queries";
import { documentText } from "./text";

type Props = {
  slice: Slice;
  /** Its place among all, from 1; none where only some are listed. */
  place: number | undefined;
  name: string;
  isLast: boolean;
  onChange: (change: SliceChange) => void;
  onShape: (what: "merge" | "reset") => void;
  onRemove: () => void;
};

/** What can be done with a slice besides writing in it. */
export function SliceMenu(props: Props) {
  const { slice, place, name, isLast, onChange, onShape, onRemove } = props;
  const text = useText(documentText);
  return (
    <RowMenu name={name} id={slice.id} hasKeys={false} deleteVerb={text.remove} onDelete={onRemove}>
      <MenuItem icon={<Power size={16} />} onSelect={() => onChange({ enabled: !slice.enabled })}>
        {slice.enabled ? text.switchOff : text.switchOn}
      </MenuItem>
      {place !== undefined && (
        <>
          <MenuItem
            icon={<ArrowUp size={16} />}
            isDisabled={place === 1}
            onSelect={() => onChange({ sequence: place - 1 })}
          >
            {text.moveUp}
          </MenuItem>
          <MenuItem
            icon={<ArrowDown size={16} />}
            isDisabled={isLast}
            onSelect={() => onChange({ sequence: place + 1 })}
          >
            {text.moveDown}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Merge size={16} />} isDisabled={isLast} onSelect={() => onShape("merge")}>
        {text.merge}
      </MenuItem>
      {slice.is_edited && (
        <MenuItem icon={<Undo2 size={16} />} onSelect={() => onShape("reset")}>
          {text.reset}
        </MenuItem>
      )}
    </RowMenu>
  );
}
