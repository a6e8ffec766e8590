import { type ReactNode, useState } from "react";
import { failureOf } from "../../../api/list";
import { useCreatePlugin } from "../../../plugin/queries";
import { draftOf, ReviewForm, reviewed } from "../../../plugin/review-form";
import type { Review } from "../../../plugin/rules";
import { pluginImportText } from "../../../plugin/text";
import { useText } from "../../../text/catalogue";
import { Button } from "../../../ui/button/button";
import { ErrorLine } from "../../../ui/error-state/error-line";
import { Page, PageBody } from "../../../ui/page/page";
import { toast } from "../../../ui/toast/toasts";

type Props = {
  workspaceId: string;
  path: ReactNode;
  review: Review;
  onBack: () => void;
  onMade: (pluginId: string) => void;
};

/** What a document would become: looked at, then stored. */
export function ReviewScreen({ workspaceId, path, review, onBack, onMade }: Props) {
  const text = useText(pluginImportText);
  const [value, setValue] = useState(() => reviewed(review));
  const create = useCreatePlugin(workspaceId);
  const failure = failureOf(create.error);
  const draft = draftOf(value);
  function store(): void {
    if (!draft) return;
    create.mutate(draft, {
      onSuccess: (plugin) => {
        toast(text.imported(plugin.name));
        onMade(plugin.id);
      },
    });
  }
  return (
    <Page
      title={text.reviewTitle}
      path={path}
      context={text.plugins}
      actions={
        <>
          <Button onClick={onBack}>{text.back}</Button>
          <Button kind="primary" disabled={!draft} isLoading={create.isPending} onClick={store}>
            {text.store(value.tools.filter((each) => each.isTaken).length)}
          </Button>
        </>
      }
    >
      <PageBody>
        {failure && <ErrorLine failure={failure} />}
        <ReviewForm review={review} value={value} onChange={setValue} />
      </PageBody>
    </Page>
  );
}
