import { useNavigate } from "@tanstack/react-router";
import { BookOpen, Images, Table2 } from "lucide-react";
import { useState } from "react";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { NameDialog } from "../../ui/form/name-dialog";
import { RadioCards } from "../../ui/radio-cards/radio-cards";
import { toast } from "../../ui/toast/toasts";
import { useCreateBase } from "./queries";
import { knowledgeText } from "./text";

const SIGNS = [BookOpen, Table2, Images];

type Props = {
  workspaceId: string;
  /** Documents are brought in next. */
  isForImport?: boolean;
  onClose: () => void;
};

/** A new base: what it is called and what it is to hold, which stays. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function CreateBase({ workspaceId, isForImport = false, onClose }: Props) {
  const text = useText(knowledgeText);
  const navigate = useNavigate();
  const [kind, setKind] = useState("0");
  const { mutate, isPending, error } = useCreateBase(workspaceId);
  return (
    <NameDialog
      title={text.create}
      verb={text.createVerb}
      labels={{
        name: text.fields.name,
        description: text.fields.description,
        hint: text.fields.descriptionHint,
      }}
      isPending={isPending}
      failure={failureOf(error)}
      onClose={onClose}
      onSubmit={(named) =>
        mutate(
          { ...named, format_type: Number(kind) },
          {
            onSuccess: (base) => {
              toast(text.created(base.name));
              void navigate({
                to: isForImport
                  ? "/w/$workspaceId/knowledge/$baseId/import"
                  : "/w/$workspaceId/knowledge/$baseId",
                params: { workspaceId, baseId: base.id },
              });
            },
          },
        )
      }
    >
      <RadioCards
        label={text.fields.kind}
        value={kind}
        options={SIGNS.map((Sign, index) => ({
          value: String(index),
          label: text.kinds[index] ?? "",
          note: text.kindNotes[index] ?? "",
          icon: <Sign size={16} strokeWidth={1.5} />,
        }))}
        onChange={setKind}
      />
    </NameDialog>
  );
}
