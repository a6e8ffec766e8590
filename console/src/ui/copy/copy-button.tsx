import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../button/button";
import { uiText } from "../text";

const SHOWN_MS = 1500;

type Props = { value: string; label?: string; kind?: "plain" | "quiet" };

/** Puts a text on the clipboard and says so where it was pressed. */
export function CopyButton({ value, label, kind = "plain" }: Props) {
  const text = useText(uiText);
  const [state, setState] = useState<"idle" | "copying" | "copied">("idle");
  const isCopied = state === "copied";
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(setState, SHOWN_MS, "idle");
    return () => clearTimeout(timer);
  }, [isCopied]);
  function copy(): void {
    setState("copying");
    void navigator.clipboard.writeText(value).then(() => setState("copied"));
  }
  return (
    <Button kind={kind} icon={isCopied ? <Check size={14} /> : <Copy size={14} />} onClick={copy}>
      {/* Live from the press on alone: dialogs spare live regions, and what stands beside them
          is hidden piece by piece, lines of a tree down to their names. */}
      <span aria-live={state === "idle" ? undefined : "polite"}>
        {isCopied ? text.copied : (label ?? text.copy)}
      </span>
    </Button>
  );
}
