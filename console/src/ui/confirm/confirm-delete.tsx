import { lazy, Suspense } from "react";
import type { Failure } from "../error-state/failure";
import { toast } from "../toast/toasts";

const Confirm = lazy(() => import("./confirm"));

type Props<T> = {
  thing: T;
  name: string;
  words: {
    removeTitle: (name: string) => string;
    removeVerb: string;
    removeWhy: string;
    removed: (name: string) => string;
  };
  /** What more is lost with this very thing. */
  more?: string | undefined;
  /** The name has to be typed, for the thing is in use. */
  isTyped: boolean;
  remove: {
    isPending: boolean;
    mutate: (thing: T, options: { onSuccess: () => void }) => void;
  };
  failure: Failure | undefined;
  /** Brings it back, where that can be done. */
  undo?: { label: string; run: () => void };
  onClose: () => void;
};

/** Asks before a thing is deleted, deletes it, and says so. */
export function ConfirmDelete<T>(props: Props<T>) {
  const { thing, name, words, more, isTyped, remove, failure, undo, onClose } = props;
  return (
    <Suspense>
      <Confirm
        isOpen
        title={words.removeTitle(name)}
        verb={words.removeVerb}
        name={isTyped ? name : undefined}
        isPending={remove.isPending}
        failure={failure}
        onClose={onClose}
        onConfirm={() =>
          remove.mutate(thing, {
            onSuccess: () => {
              toast(words.removed(name), undo);
              onClose();
            },
          })
        }
      >
        {words.removeWhy}
        {more && ` ${more}`}
      </Confirm>
    </Suspense>
  );
}
