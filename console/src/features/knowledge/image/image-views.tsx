import { getRouteApi } from "@tanstack/react-router";
import { LayoutGrid, Rows3 } from "lucide-react";
import { useText } from "../../../text/catalogue";
import { Segmented } from "../../../ui/segmented/segmented";
import { imageText } from "./text";

const page = getRouteApi("/shell/w/$workspaceId/knowledge/$baseId");

/** Pictures as such, or as a list in which many are chosen. */
export function ImageViews() {
  const { views } = useText(imageText);
  const { view } = page.useSearch();
  const navigate = page.useNavigate();
  return (
    <Segmented
      label={views.label}
      value={view === "table" ? "table" : "cards"}
      options={[
        { value: "cards", label: views.cards, icon: <LayoutGrid size={14} /> },
        { value: "table", label: views.table, icon: <Rows3 size={14} /> },
      ]}
      onChange={(next) =>
        void navigate({
          search: (old) => ({ q: old.q, view: next === "table" ? next : undefined }),
          replace: true,
        })
      }
    />
  );
}
