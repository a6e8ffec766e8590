import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import { useState } from "react";
import { client, unwrap } from "../../api/client";
import { failureOf } from "../../api/list";
import { useText } from "../../text/catalogue";
import { traceBodyText } from "../../trace/body-text";
import { Button } from "../../ui/button/button";
import { IconButton } from "../../ui/button/icon-button";
import { ErrorState } from "../../ui/error-state/error-state";
import { Page, PageBody } from "../../ui/page/page";
import { TextField } from "../../ui/text-field/text-field";
import styles from "./compare.module.css";
import { Figures } from "./figures";
import { Pairs } from "./pairs";

const page = getRouteApi("/shell/w/$workspaceId/runs/compare");

/** Two runs beside each other: figures, and step by step what differs. */
export function CompareScreen() {
  const { compare: text, runs } = useText(traceBodyText);
  const { workspaceId } = page.useParams();
  const { a = "", b = "", all } = page.useSearch();
  const navigate = page.useNavigate();
  const query = useQuery({
    queryKey: ["admin.traces.diff", a, b],
    queryFn: ({ signal }) =>
      unwrap(
        client.GET("/admin/v1/traces/{left_run_id}/diff/{right_run_id}", {
          params: { path: { left_run_id: a, right_run_id: b } },
          signal,
        }),
      ),
    enabled: Boolean(a && b),
  });
  const failure = failureOf(query.error);
  const { data } = query;
  return (
    <Page
      title={text.title}
      context={runs}
      path={
        <Link to="/w/$workspaceId/runs" params={{ workspaceId }}>
          {runs}
        </Link>
      }
      actions={
        a &&
        b && (
          <IconButton
            label={text.swap}
            icon={<ArrowLeftRight size={16} />}
            onClick={() => void navigate({ search: (old) => ({ ...old, a: b, b: a }) })}
          />
        )
      }
    >
      <PageBody>
        {!b && <Choice onChoose={(run) => void navigate({ search: { a, b: run } })} />}
        {failure && <ErrorState failure={failure} onRetry={() => void query.refetch()} />}
        {data && !query.isPlaceholderData && (
          <div className={styles.screen}>
            <Figures left={data.left} right={data.right} />
            <Pairs
              pairs={data.pairs}
              hasAll={all === "1"}
              onAll={(hasAll) =>
                void navigate({
                  search: (old) => ({ ...old, all: hasAll ? "1" : undefined }),
                  replace: true,
                })
              }
            />
          </div>
        )}
      </PageBody>
    </Page>
  );
}

/** Asks for the run that the first one is compared with. */
function Choice({ onChoose }: { onChoose: (run: string) => void }) {
  const { compare: text } = useText(traceBodyText);
  const [typed, setTyped] = useState("");
  const run = typed.trim();
  return (
    <form
      className={styles.choice}
      onSubmit={(event) => {
        event.preventDefault();
        if (run) onChoose(run);
      }}
    >
      <TextField label={text.choose} hint={text.chooseHint} value={typed} onChange={setTyped} />
      <Button kind="primary" type="submit" disabled={!/^\d{1,19}$/.test(run)}>
        {text.show}
      </Button>
    </form>
  );
}
