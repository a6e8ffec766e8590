import { useBlocker } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { loadAgent } from "../../api/agent";
import type { AdminAgent } from "../../api/schema";
import { listenToChanges } from "../../presence/changes";
import { Recovery } from "../../session/recovery";
import { useSession } from "../../session/session";
import { DraftKeeper } from "./draft-keeper";
import type { Unsaved } from "./edits";
import { saveAgent } from "./queries";

/** The draft of one agent, saved whenever somebody looks away and before they leave. */
export function useKeeper(agent: AdminAgent): {
  keeper: DraftKeeper;
  recovery: Recovery<Unsaved>;
} {
  const userId = useSession().user.id;
  const recovery = useMemo(
    () => new Recovery<Unsaved>({ userId, type: "agent", id: agent.id }),
    [userId, agent.id],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is loaded again is not taken over
  const keeper = useMemo(
    () =>
      new DraftKeeper(
        agent,
        {
          save: (body, revision) => saveAgent(agent.id, body, revision),
          load: () => loadAgent(agent.id),
        },
        recovery,
      ),
    [agent.id, recovery],
  );
  useEffect(
    () => listenToChanges("agent", agent.id, (revision) => void keeper.refresh(revision)),
    [agent.id, keeper],
  );
  useEffect(() => {
    const flush = () => void keeper.flush();
    const ask = (event: BeforeUnloadEvent) => keeper.isDirty && event.preventDefault();
    document.addEventListener("visibilitychange", flush);
    addEventListener("blur", flush);
    addEventListener("beforeunload", ask);
    return () => {
      // What is tried again goes on after the editor is left, and is not offered meanwhile.
      void keeper.flush().then(() => keeper.current.state !== "retrying" && recovery.close());
      document.removeEventListener("visibilitychange", flush);
      removeEventListener("blur", flush);
      removeEventListener("beforeunload", ask);
    };
  }, [keeper, recovery]);
  useBlocker({
    shouldBlockFn: async () => {
      await keeper.flush();
      return false;
    },
    enableBeforeUnload: false,
  });
  return { keeper, recovery };
}
