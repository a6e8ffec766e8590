import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../api/client";
import { MultiCombobox } from "../ui/combobox/multi-combobox";

type Props = {
  label: string;
  hint: string;
  placeholder: string;
  /** Whose groups there are to choose from; absent: those of the deployment. */
  workspaceId?: string;
  ids: readonly string[];
  isDisabled?: boolean;
  onChange: (ids: readonly string[]) => void;
};

/** Groups of people that something is limited to; an unknown one stands there as its id. */
export function GroupField({ workspaceId, ids, onChange, isDisabled, ...words }: Props) {
  const { data } = useQuery({
    queryKey: ["groups", workspaceId ?? "deployment"],
    queryFn: ({ signal }) =>
      unwrap(
        workspaceId === undefined
          ? client.GET("/admin/v1/groups", { params: { query: { limit: "100" } }, signal })
          : client.GET("/admin/v1/workspaces/{workspace_id}/groups", {
              params: { path: { workspace_id: workspaceId }, query: { limit: "100" } },
              signal,
            }),
      ),
    enabled: !isDisabled,
  });
  const options = (data?.items ?? []).map((each) => ({ value: each.id, label: each.name }));
  return (
    <MultiCombobox
      {...words}
      values={ids.map(
        (id) => options.find(({ value }) => value === id) ?? { value: id, label: id },
      )}
      options={options}
      isDisabled={isDisabled ?? false}
      onChange={(next) => onChange(next.map(({ value }) => value))}
    />
  );
}
