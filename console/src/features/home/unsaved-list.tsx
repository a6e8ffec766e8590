import { Link } from "@tanstack/react-router";
import { FilePen } from "lucide-react";
import { placeOf } from "../../directory/place";
import { forgetLeft, putBack } from "../../session/recovery";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Ago } from "../../ui/time/ago";
import { toast } from "../../ui/toast/toasts";
import { Frame } from "./frame";
import styles from "./home.module.css";
import { useRefreshUnsaved } from "./queries";
import { homeText } from "./text";
import type { Unsaved } from "./unsaved";

type Props = { workspaceId: string; unsaved: readonly Unsaved[] };

/** Changes that were not saved when their page ended. Their editor offers them. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function UnsavedList({ workspaceId, unsaved }: Props) {
  const text = useText(homeText);
  const refresh = useRefreshUnsaved();
  function discard({ left, name }: Unsaved): void {
    void forgetLeft(left).then(() => {
      void refresh();
      toast(text.discarded(name || text.newPrompt), {
        label: text.undo,
        run: () => void putBack(left).then(refresh),
      });
    });
  }
  return unsaved.map((each) => {
    const { place, kept } = each.left;
    return (
      <Frame
        key={`${place.type} ${place.id}`}
        icon={FilePen}
        tone="warn"
        title={text.unsaved(each.name || text.newPrompt)}
        when={<Ago at={kept.at / 1000} />}
      >
        <p>{each.isChangedSince ? text.changedSince : text.keptHere}</p>
        <div className={styles.actions}>
          <Link
            {...placeOf(workspaceId, { ...place, parent_id: null, name: each.name })}
            className={styles.way}
          >
            {text.look}
          </Link>
          <Button size="compact" onClick={() => discard(each)}>
            {text.discard}
          </Button>
        </div>
      </Frame>
    );
  });
}
