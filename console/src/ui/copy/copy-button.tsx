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
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(setCopied, SHOWN_MS, false);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <Button
      kind={kind}
      icon={isCopied ? <Check size={14} /> : <Copy size={14} />}
      onClick={() => void navigator.clipboard.writeText(value).then(() => setCopied(true))}
    >
      <span aria-live="polite">{isCopied ? text.copied : (label ?? text.copy)}</span>
    </Button>
  );
}
