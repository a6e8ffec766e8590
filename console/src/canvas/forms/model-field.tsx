import { useQuery } from "@tanstack/react-query";
import { client, unwrap } from "../../api/client";
import { useText } from "../../text/catalogue";
import { Combobox } from "../../ui/combobox/combobox";
import { canvasText } from "../text";

type Props = {
  id: string;
  name: string;
  isDisabled: boolean;
  onChange: (model: { id: string; name: string }) => void;
  /** Where none is a choice too: what it is called, and what then happens. */
  optional?: { readonly label: string; readonly hint: string; readonly onClear: () => void };
};

/** The models that the deployment offers for texts. */
function useModels() {
  return useQuery({
    queryKey: ["admin.models.list", "llm", "canvas"],
    queryFn: ({ signal }) =>
      unwrap(client.GET("/admin/v1/models", { params: { query: { type: "llm" } }, signal })),
  });
}

/** One of the models of the deployment. */
export function ModelField({ id, name, isDisabled, onChange, optional }: Props) {
  const text = useText(canvasText);
  const { data } = useModels();
  const models = data?.items ?? [];
  const options = models.map((each) => ({
    value: String(each.id),
    label: each.display.name || String(each.id),
  }));
  const isKnown = options.some((each) => each.value === id);
  const value =
    options.find((each) => each.value === id) ??
    (id || name ? { value: id, label: name || id } : undefined);
  return (
    <Combobox
      label={optional?.label ?? text.form.model}
      hint={optional?.hint}
      canBeEmpty={optional !== undefined}
      value={value}
      options={options}
      isDisabled={isDisabled}
      isRequired={!optional}
      error={data && id && !isKnown ? text.form.modelGone : undefined}
      placeholder={text.form.chooseModel}
      onChange={(option) =>
        option ? onChange({ id: option.value, name: option.label }) : optional?.onClear()
      }
    />
  );
}
