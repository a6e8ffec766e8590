import { isRecord, readRecord } from "../../../json/json";
import { EXPANDS, KINDS, type Strategy, THRESHOLDS } from "../../../retrieval/strategy";
import { ofScreen } from "../../../session/local";

/** How somebody searched a base last, where they tried it by settings of their own. */
export const keptSettings = {
  read: (baseId: string, first: Strategy) =>
    keptStrategy(ofScreen.read(`retrieval.${baseId}`) ?? "", first),
  write: (baseId: string, strategy: Strategy) =>
    ofScreen.write(`retrieval.${baseId}`, JSON.stringify(strategy)),
};

/** Settings that this browser kept; what is missing or none of them is as it is at first. */
export function keptStrategy(words: string, first: Strategy): Strategy {
  const kept = readRecord(words) ?? {};
  const number = <T>(key: keyof Strategy, fallback: T): number | T => {
    const value = kept[key];
    return typeof value === "number" ? value : fallback;
  };
  const flag = (key: keyof Strategy, fallback: boolean): boolean => {
    const value = kept[key];
    return typeof value === "boolean" ? value : fallback;
  };
  const word = (key: keyof Strategy): string => {
    const value = kept[key];
    return typeof value === "string" ? value : "";
  };
  const filter = kept["filter"];
  return {
    kind: KINDS.find((each) => each === kept["kind"]) ?? first.kind,
    topK: number("topK", first.topK),
    minScore: number("minScore", first.minScore),
    threshold: THRESHOLDS.find((each) => each === kept["threshold"]) ?? first.threshold,
    maxTokens: number("maxTokens", undefined),
    weight: number("weight", undefined),
    expand: EXPANDS.find((each) => each === kept["expand"]) ?? first.expand,
    rewrites: flag("rewrites", first.rewrites),
    expansion: number("expansion", first.expansion),
    expansionModel: word("expansionModel"),
    background: word("background"),
    reranks: flag("reranks", first.reranks),
    rerankModel: word("rerankModel"),
    rerankWeight: number("rerankWeight", first.rerankWeight),
    usesSql: flag("usesSql", first.usesSql),
    isPersonal: flag("isPersonal", first.isPersonal),
    filter: isRecord(filter) ? filter : undefined,
  };
}
