import { useReactFlow, useStore } from "@xyflow/react";
import {
  Hand,
  Map as MapIcon,
  Maximize,
  MousePointer2,
  Plus,
  StickyNote,
  Wand2,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { useKinds } from "../kinds";
import { NOTE } from "../model/kind";
import { canvasText } from "../text";
import { useActs, useLayOut } from "./acts";
import styles from "./corner.module.css";
import { MiniMap } from "./painted";
import { useBring, useReveal, useZoom } from "./use-sight";

type Props = {
  isHand: boolean;
  hasMap: boolean;
  hasPalette: boolean;
  canWrite: boolean;
  onHand: (isHand: boolean) => void;
  onMap: () => void;
  onPalette: () => void;
};

/** What changes how the canvas is looked at, in its corner. */
export function Corner(props: Props) {
  const { isHand, hasMap, hasPalette, canWrite, onHand, onMap, onPalette } = props;
  const text = useText(canvasText);
  const flow = useReactFlow();
  const kinds = useKinds();
  const acts = useActs();
  const bring = useBring();
  const layOut = useLayOut();
  const reveal = useReveal();
  const zoom = useZoom();
  const percent = useStore((state) => Math.round(state.transform[2] * 100));
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  function note(): void {
    const kind = kinds.get(NOTE);
    const sight = flow.getViewport();
    if (!kind) return;
    const made = acts.add(kind, {
      x: (width / 2 - sight.x) / sight.zoom,
      y: (height / 3 - sight.y) / sight.zoom,
    });
    reveal([made]);
  }
  return (
    <>
      {canWrite && (
        <div className={styles.add}>
          <Button icon={<Plus size={16} />} aria-pressed={hasPalette} onClick={onPalette}>
            {text.palette.add}
          </Button>
        </div>
      )}
      <div className={styles.corner}>
        {hasMap && <MiniMap />}
        <div role="toolbar" aria-label={text.viewTools} className={styles.tools}>
          <IconButton
            size="compact"
            label={text.pointer}
            shortcut="v"
            icon={<MousePointer2 size={16} />}
            aria-pressed={!isHand}
            onClick={() => onHand(false)}
          />
          <IconButton
            size="compact"
            label={text.hand}
            shortcut="h"
            icon={<Hand size={16} />}
            aria-pressed={isHand}
            onClick={() => onHand(true)}
          />
          <span className={styles.gap} />
          <IconButton
            size="compact"
            label={text.zoomOut}
            shortcut="mod+-"
            icon={<ZoomOut size={16} />}
            onClick={zoom.away}
          />
          <button
            type="button"
            className={styles.percent}
            aria-label={text.zoomFull(percent)}
            onClick={zoom.full}
          >
            {percent}%
          </button>
          <IconButton
            size="compact"
            label={text.zoomIn}
            shortcut="mod+="
            icon={<ZoomIn size={16} />}
            onClick={zoom.near}
          />
          <IconButton
            size="compact"
            label={text.fit}
            shortcut="mod+0"
            icon={<Maximize size={16} />}
            onClick={() => bring({ padding: 0.1 })}
          />
          <IconButton
            size="compact"
            label={text.minimap}
            shortcut="m"
            icon={<MapIcon size={16} />}
            aria-pressed={hasMap}
            onClick={onMap}
          />
          {canWrite && (
            <>
              <span className={styles.gap} />
              <IconButton
                size="compact"
                label={text.layOut}
                shortcut="mod+shift+l"
                icon={<Wand2 size={16} />}
                onClick={layOut}
              />
              <IconButton
                size="compact"
                label={text.addNote}
                icon={<StickyNote size={16} />}
                onClick={note}
              />
            </>
          )}
        </div>
      </div>
    </>
  );
}
