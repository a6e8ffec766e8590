import { useText } from "../../../text/catalogue";
import { EmptyState } from "../../../ui/empty-state/empty-state";
import { useTold } from "../../../ui/error-state/reasons";
import type { Document } from "../base/queries";
import { documentText } from "./text";

const FAILED = 9;

/** Why a document has no slices: it is being read, could not be, or said nothing. */
export function NoSlices({ document }: { document: Document }) {
  const text = useText(documentText);
  const told = useTold();
  const { status } = document;
  const isWorking = status <= 0 || status > 2;
  if (status === FAILED)
    return (
      <EmptyState title={text.empty}>
        {told(document.fail_code, document.fail_reason) || text.emptyFailed}
      </EmptyState>
    );
  return (
    <EmptyState title={text.empty}>{isWorking ? text.emptyWorking : text.emptyWhy}</EmptyState>
  );
}
