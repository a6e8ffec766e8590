import { Link } from "@tanstack/react-router";
import { MessageSquareQuote } from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { TagList } from "../../ui/tag-list/tag-list";
import { Tile } from "../../ui/tile/tile";
import { Ago } from "../../ui/time/ago";
import type { Prompt } from "./queries";
import { promptsText } from "./text";

export function useColumns(
  nameOf: (userId: string) => string,
  canWrite: boolean,
): readonly Column<Prompt>[] {
  const text = useText(promptsText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (prompt) => (
          <NameCell
            tile={<Tile name={prompt.name} icon={<MessageSquareQuote size={14} />} />}
            name={
              canWrite ? (
                <Link
                  from="/w/$workspaceId/prompts"
                  to="."
                  search={(old) => ({ ...old, prompt: prompt.id })}
                  replace
                >
                  {prompt.name}
                </Link>
              ) : (
                prompt.name
              )
            }
            note={prompt.description}
          />
        ),
      },
      {
        key: "prompt",
        label: text.columns.prompt,
        width: "minmax(160px, 1.2fr)",
        leaveOut: "medium",
        render: (prompt) => prompt.prompt_text,
      },
      {
        key: "tags",
        label: text.columns.tags,
        width: "minmax(96px, 200px)",
        leaveOut: "medium",
        render: (prompt) => <TagList tags={prompt.tags.map((value) => ({ value }))} />,
      },
      {
        key: "creator",
        label: text.columns.creator,
        width: "136px",
        leaveOut: "medium",
        render: (prompt) => nameOf(prompt.creator_id ?? ""),
      },
      {
        key: "updated",
        label: text.columns.updated,
        width: "96px",
        isNumber: true,
        leaveOut: "narrow",
        render: (prompt) => <Ago at={prompt.updated_at} />,
      },
    ],
    [text, nameOf, canWrite],
  );
}
