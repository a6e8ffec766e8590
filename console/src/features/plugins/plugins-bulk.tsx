import { useQueryClient } from "@tanstack/react-query";
import { inTurn } from "../../api/in-turn";
import { deletePlugin, PLUGINS } from "../../plugin/queries";
import { useText } from "../../text/catalogue";
import BulkDelete from "../../ui/list/bulk-delete";
import type { Plugin } from "./queries";
import { pluginsText } from "./text";

type Props = { plugins: readonly Plugin[]; onClear: () => void };

/** What can be done with the chosen plugins together. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function PluginsBulk({ plugins, onClear }: Props) {
  const text = useText(pluginsText);
  const queries = useQueryClient();
  return (
    <BulkDelete
      things={plugins.map(({ id, name, status }) => ({
        id,
        name,
        is_published: status === "published",
      }))}
      remove={(doomed) =>
        inTurn(
          doomed,
          ({ id }) => deletePlugin(id),
          () => queries.invalidateQueries({ queryKey: [PLUGINS] }),
        )
      }
      why={text.removeAllWhy}
      onClear={onClear}
    />
  );
}
