import { getRouteApi } from "@tanstack/react-router";
import { Link2, MessageSquareQuote, Pencil, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf, useRested } from "../../api/list";
import { useMemberNames } from "../../api/members";
import { newIn } from "../../session/recovery";
import { may, useWorkspace } from "../../session/session";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { FilterChip } from "../../ui/chip/filter-chip";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ListScreen } from "../../ui/list/list-screen";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import { useSelection } from "../../ui/table/selection";
import { useColumns } from "./columns";
import { type Prompt, useDeletePrompt, usePrompts } from "./queries";
import { promptsText } from "./text";

const UsesDialog = lazy(() => import("./uses-dialog"));
const OpenPrompt = lazy(() => import("./open-prompt"));
const PromptsBulk = lazy(() => import("./prompts-bulk"));
const page = getRouteApi("/shell/w/$workspaceId/prompts");

/** The prompt library of a workspace. */
export function Prompts() {
  const text = useText(promptsText);
  const { workspaceId } = page.useParams();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const list = usePrompts(workspaceId, useRested(search.q), search.tag);
  const tags = new Set(list.page?.tags);
  if (search.tag) tags.add(search.tag);
  const workspace = useWorkspace(workspaceId);
  const canWrite = may(workspace, "bot.write");
  const columns = useColumns(useMemberNames(workspaceId), canWrite);
  const selection = useSelection(list.rows.map((prompt) => prompt.id));
  const [looked, setLooked] = useState<Prompt>();
  const [doomed, setDoomed] = useState<Prompt>();
  const remove = useDeletePrompt(workspaceId);
  /** It stands in the address in the place of the list: going back leads to the screen before. */
  function edit(prompt: string | undefined): void {
    void navigate({ search: (old) => ({ ...old, prompt }), replace: true });
  }
  const create = (
    <Button kind="primary" icon={<Plus size={16} />} onClick={() => edit(newIn(workspaceId))}>
      {text.create}
    </Button>
  );
  function onKey(key: string, prompt: Prompt): void {
    if (canWrite && (key === "e" || key === "Enter")) edit(prompt.id);
    if (canWrite && key === "Delete") setDoomed(prompt);
  }
  return (
    <>
      <ListScreen
        title={text.title}
        context={workspace?.name ?? ""}
        action={canWrite && create}
        search={{
          label: text.search,
          value: search.q ?? "",
          onChange: (value) =>
            void navigate({ search: (old) => ({ ...old, q: value || undefined }), replace: true }),
        }}
        filters={
          tags.size > 0 && (
            <FilterChip
              label={text.tag}
              value={search.tag}
              options={[...tags].map((value) => ({ value, label: value }))}
              onChange={(tag) =>
                void navigate({ search: (old) => ({ ...old, tag }), replace: true })
              }
            />
          )
        }
        isNarrowed={Boolean(search.q || search.tag)}
        onClearFilters={() => void navigate({ search: {} })}
        noMatch={{ title: text.noMatch, clear: text.clearFilters }}
        empty={
          <EmptyState
            title={text.empty}
            drawing={<MessageSquareQuote size={40} strokeWidth={1} />}
            action={canWrite && create}
          >
            {text.emptyWhy}
          </EmptyState>
        }
        list={list}
        columns={columns}
        keyOf={(prompt) => prompt.id}
        nameOf={(prompt) => prompt.name}
        selection={canWrite ? selection : undefined}
        bulk={
          <Suspense>
            <PromptsBulk
              workspaceId={workspaceId}
              prompts={list.rows.filter((prompt) => selection.chosen.has(prompt.id))}
              onClear={selection.clear}
            />
          </Suspense>
        }
        menu={(prompt) => (
          <RowMenu
            name={prompt.name}
            id={prompt.id}
            onDelete={canWrite ? () => setDoomed(prompt) : undefined}
          >
            <MenuItem icon={<Link2 size={16} />} onSelect={() => setLooked(prompt)}>
              {text.uses.show}
            </MenuItem>
            {canWrite && (
              <MenuItem icon={<Pencil size={16} />} shortcut="e" onSelect={() => edit(prompt.id)}>
                {text.edit}
              </MenuItem>
            )}
          </RowMenu>
        )}
        onKey={onKey}
      />
      <Suspense>
        {canWrite && search.prompt && (
          <OpenPrompt
            key={search.prompt}
            workspaceId={workspaceId}
            promptId={search.prompt}
            known={list.rows.find(({ id }) => id === search.prompt)}
            onClose={() => edit(undefined)}
          />
        )}
        {looked && (
          <UsesDialog
            workspaceId={workspaceId}
            prompt={looked}
            onClose={() => setLooked(undefined)}
          />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.name}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}
