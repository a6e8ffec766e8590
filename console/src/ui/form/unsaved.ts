import { createContext, use, useEffect } from "react";

/** What is entered anywhere on the page and would go with it. */
const onPage = new Set<object>();

/** The same of one dialog, which may go alone. */
export const UnsavedInDialog = createContext<Set<object> | undefined>(undefined);

export function hasUnsaved(): boolean {
  return onPage.size > 0;
}

/** While it holds, the person is asked before the page or the dialog goes with what they entered. */
export function useUnsaved(isUnsaved: boolean): void {
  const inDialog = use(UnsavedInDialog);
  useEffect(() => {
    if (!isUnsaved) return;
    const input = {};
    onPage.add(input);
    inDialog?.add(input);
    return () => {
      onPage.delete(input);
      inDialog?.delete(input);
    };
  }, [isUnsaved, inDialog]);
}

/** The same for what a dialog itself holds, which stands outside of what it draws. */
export function Unsaved({ isUnsaved }: { isUnsaved: boolean }) {
  useUnsaved(isUnsaved);
  return null;
}
