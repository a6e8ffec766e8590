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
  /** Nothing chosen: the default model answers, or none where it is a second one. */
  onClear: () => void;
  /** What a second model is called, and when it answers. */
  second?: { readonly label: string; readonly hint: string };
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
export function ModelField({ id, name, isDisabled, onChange, onClear, second }: Props) {
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
      label={second?.label ?? text.form.model}
      hint={second?.hint}
      canBeEmpty
      value={value}
      options={options}
      isDisabled={isDisabled}
      error={data && id && !isKnown ? text.form.modelGone : undefined}
      placeholder={second ? text.form.chooseModel : text.form.defaultModel}
      onChange={(option) =>
        option ? onChange({ id: option.value, name: option.label }) : onClear()
      }
    />
  );
}
