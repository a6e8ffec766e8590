import { useCallback, useMemo } from "react";
import { MarkdownText } from "./markdown/markdown";
import { SourceMark } from "./source-mark";
import type { Source } from "./turn";

type Props = { text: string; sources: readonly Source[] };

/** The text of an answer with marks of its sources. */
export function Said({ text, sources }: Props) {
  const known = useMemo(() => new Map(sources.map((source) => [source.n, source])), [sources]);
  const mark = useCallback(
    (n: number) => {
      const source = known.get(n);
      return source && <SourceMark source={source} />;
    },
    [known],
  );
  return <MarkdownText text={text} mark={mark} />;
}
