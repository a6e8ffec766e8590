import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { failureOf } from "../../api/list";
import { useRefresh } from "../../api/refresh";
import type { ServerToolList as ServerOffer } from "../../api/schema";
import { McpForm } from "../../plugin/mcp-form";
import {
  acceptTools,
  createPlugin,
  deletePlugin,
  inspectServer,
  loadTools,
  PLUGINS,
  publishPlugin,
  useReview,
} from "../../plugin/queries";
import { draftOf, ReviewForm, reviewed } from "../../plugin/review-form";
import type { Review } from "../../plugin/rules";
import { ServerToolList, useTaken } from "../../plugin/server-tool-list";
import { SourceForm } from "../../plugin/source-form";
import { pluginImportText } from "../../plugin/text";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { ErrorLine } from "../../ui/error-state/error-line";
import { Segmented } from "../../ui/segmented/segmented";
import { Skeleton } from "../../ui/skeleton/skeleton";
import styles from "./new-tool.module.css";
import { toolKey } from "./queries";
import { workbenchText } from "./text";

const KINDS = ["document", "address", "mcp"] as const;
type Kind = (typeof KINDS)[number];

type Props = {
  workspaceId: string;
  /** The tools are there and can be bound; their keys. */
  onMade: (keys: readonly string[]) => void;
  onBack: () => void;
  onClose: () => void;
};

/** Tools that the workspace does not have yet: from a document, a curl command or an MCP server. */
// biome-ignore lint/style/noDefaultExport: what is loaded when it is wanted has to be the default
export default function NewTool(props: Props) {
  const { workspaceId, onBack, onClose } = props;
  const words = useText(workbenchText).tools;
  // What a part of the dialog waits for would close it: all words are here before it opens.
  const text = useText(pluginImportText);
  const [kind, setKind] = useState<Kind>("document");
  const [typed, setTyped] = useState({ document: "", address: "" });
  const [server, setServer] = useState<string>();
  const [buttonIn, setButtonIn] = useState<HTMLElement | null>(null);
  const review = useReview(workspaceId);
  if (review.data) return <Reviewing {...props} review={review.data} onBack={review.reset} />;
  if (server) {
    /** A plugin that has no tools yet is of no use to anybody. */
    const leave = (then: () => void) => () => {
      setServer(undefined);
      void deletePlugin(server).finally(then);
    };
    return (
      <Inspecting
        {...props}
        pluginId={server}
        onBack={leave(() => undefined)}
        onClose={leave(onClose)}
      />
    );
  }
  return (
    <Step
      title={words.bring}
      description={words.bringWhy}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>{text.back}</Button>
          <span ref={setButtonIn} className={styles.button} />
        </>
      }
    >
      <Segmented
        label={text.from}
        value={kind}
        options={KINDS.map((value) => ({ value, label: text.kinds[value] }))}
        onChange={setKind}
      />
      {kind === "mcp" ? (
        <McpForm workspaceId={workspaceId} onMade={setServer} buttonIn={buttonIn} />
      ) : (
        <SourceForm
          key={kind}
          kind={kind}
          value={typed[kind]}
          onChange={(value) => setTyped({ ...typed, [kind]: value })}
          isPending={review.isPending}
          failure={failureOf(review.error)}
          onReview={(value) => review.mutate({ kind, text: value })}
          buttonIn={buttonIn}
        />
      )}
    </Step>
  );
}

function Reviewing({ workspaceId, review, onMade, onBack, onClose }: Props & { review: Review }) {
  const text = useText(pluginImportText);
  const words = useText(workbenchText).tools;
  const [value, setValue] = useState(() => reviewed(review));
  const draft = draftOf(value);
  /** A further attempt goes on from what there is. */
  const made = useRef<string>(undefined);
  const add = useAdd(workspaceId, onMade, async () => {
    if (draft) made.current ??= (await createPlugin(workspaceId, draft)).id;
    return made.current;
  });
  const failure = failureOf(add.error);
  return (
    <Step
      title={text.reviewTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>{text.back}</Button>
          <Button
            kind="primary"
            disabled={!draft}
            isLoading={add.isPending}
            onClick={() => add.mutate()}
          >
            {words.addFound(draft?.tools.length ?? 0)}
          </Button>
        </>
      }
    >
      {failure && <ErrorLine failure={failure} />}
      <ReviewForm review={review} value={value} onChange={setValue} />
    </Step>
  );
}

type InspectingProps = Props & { pluginId: string };

function Inspecting(props: InspectingProps) {
  const { pluginId, onBack, onClose } = props;
  const text = useText(pluginImportText);
  const words = useText(workbenchText).tools;
  const offer = useQuery({
    queryKey: ["workbench.server", pluginId],
    queryFn: () => inspectServer(pluginId),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const failure = failureOf(offer.error);
  if (offer.data) return <Offered {...props} offer={offer.data} />;
  return (
    <Step
      title={words.serverTools}
      onClose={onClose}
      actions={<Button onClick={onBack}>{text.back}</Button>}
    >
      {failure ? <ErrorLine failure={failure} /> : <Skeleton width="100%" height={48} />}
    </Step>
  );
}

function Offered(props: InspectingProps & { offer: ServerOffer }) {
  const { workspaceId, pluginId, offer, onMade, onBack, onClose } = props;
  const text = useText(pluginImportText);
  const words = useText(workbenchText).tools;
  const { taken, take } = useTaken(offer.items);
  const isAccepted = useRef(false);
  const add = useAdd(workspaceId, onMade, async () => {
    if (!isAccepted.current) {
      await acceptTools(pluginId, { digest: offer.digest, names: [...taken] });
      isAccepted.current = true;
    }
    return pluginId;
  });
  const failure = failureOf(add.error);
  return (
    <Step
      title={words.serverTools}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onBack}>{text.back}</Button>
          <Button
            kind="primary"
            disabled={taken.size === 0}
            isLoading={add.isPending}
            onClick={() => add.mutate()}
          >
            {words.addFound(taken.size)}
          </Button>
        </>
      }
    >
      {failure && <ErrorLine failure={failure} />}
      <ServerToolList tools={offer.items} taken={taken} onTake={take} />
    </Step>
  );
}

/** Makes a plugin, and the version of it that can be bound: its tools are tried right behind. */
function useAdd(
  workspaceId: string,
  onMade: Props["onMade"],
  make: () => Promise<string | undefined>,
) {
  const refreshLists = useRefresh(PLUGINS, workspaceId);
  const refreshOffers = useRefresh("workbench.offers", workspaceId);
  return useMutation({
    mutationFn: async () => {
      const pluginId = await make();
      if (!pluginId) return [];
      await publishPlugin(pluginId, "", true);
      const { items } = await loadTools(pluginId);
      await Promise.all([refreshLists(), refreshOffers()]);
      return items.map((tool) => toolKey(pluginId, tool.id));
    },
    onSuccess: onMade,
  });
}

type StepProps = {
  title: string;
  description?: string;
  onClose: () => void;
  actions: ReactNode;
  children: ReactNode;
};

function Step({ children, ...rest }: StepProps) {
  return (
    <Dialog isOpen size="wide" {...rest}>
      <div className={styles.step}>{children}</div>
    </Dialog>
  );
}
