import { currentLanguage } from "../../../text/language";

const ENGLISH = new URL("./handbook.en.md", import.meta.url).href;
const CHINESE = new URL("./handbook.zh.md", import.meta.url).href;

/** The handbook of a shop that was made up, in the language of the page: a file like any other. */
export async function sampleHandbook(name: string): Promise<File> {
  const answer = await fetch(currentLanguage() === "zh" ? CHINESE : ENGLISH);
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  return new File([await answer.blob()], name, { type: "text/markdown" });
}
