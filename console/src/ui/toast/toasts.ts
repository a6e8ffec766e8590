import { Toast } from "@base-ui/react/toast";

export const toasts = Toast.createToastManager();

/** Says that something happened; errors that need an answer are said where they belong. */
export function toast(title: string, action?: { label: string; run: () => void }): void {
  toasts.add({
    title,
    ...(action ? { actionProps: { children: action.label, onClick: action.run } } : {}),
  });
}
