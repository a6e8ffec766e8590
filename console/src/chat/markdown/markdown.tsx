import { Fragment, memo, type ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import gfm from "remark-gfm";
import { useText } from "../../text/catalogue";
import { Picture } from "../picture";
import { chatText } from "../text";
import { blocksOf } from "./blocks";
import { CodeBlock, isClosed } from "./code-block";
import { Formula } from "./formula";
import styles from "./markdown.module.css";
import { formulaIn, rewritten, SOURCE } from "./notation";
import { piecesOf } from "./pieces";

const PLUGINS = [gfm];
const LINKS = /^(https?:|mailto:)/i;

type Props = {
  text: string;
  /** Shows a numbered mark of a source; nothing where there is none of that number. */
  mark?: ((n: number) => ReactNode) | undefined;
};

/** A text of a model: elements, never HTML; blocks that are closed are not parsed again. */
export function MarkdownText({ text, mark }: Props) {
  const blocks = blocksOf(text);
  return (
    <div className={styles.text}>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a closed block keeps its place for good
        <Block key={index} text={block} mark={mark} />
      ))}
    </div>
  );
}

/** A block; a long paragraph of plain words in pieces, of which only the last is parsed again. */
const Block = memo(function Block({ text, mark }: Props) {
  const pieces = piecesOf(text);
  if (pieces.length === 1) return <Parsed text={text} mark={mark} />;
  return (
    <p>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a closed piece keeps its place for good
        <Fragment key={index}>
          {index > 0 && " "}
          <Parsed text={piece} mark={mark} isPiece />
        </Fragment>
      ))}
    </p>
  );
});

type ParsedProps = Props & { isPiece?: boolean };

const Parsed = memo(function Parsed({ text, mark, isPiece = false }: ParsedProps) {
  const written = rewritten(text, (n) => Boolean(mark?.(n)));
  const components: Components = {
    a: ({ href = "", children }) => {
      if (href.startsWith(SOURCE)) return mark?.(Number(href.slice(SOURCE.length)));
      return <SafeLink href={href}>{children}</SafeLink>;
    },
    img: ({ src, alt }) => <Shown src={typeof src === "string" ? src : ""} alt={alt ?? ""} />,
    ...(isPiece && { p: ({ children }) => children }),
    table: ({ children }) => <Table>{children}</Table>,
    code: ({ children }) => {
      const formula = typeof children === "string" ? formulaIn(children) : undefined;
      return formula ? <Formula {...formula} /> : <code>{children}</code>;
    },
    pre: ({ node }) => {
      const code = node?.children[0];
      const first = code?.type === "element" ? code.children[0] : undefined;
      const names = code?.type === "element" ? code.properties["className"] : undefined;
      const language = Array.isArray(names) ? String(names[0] ?? "").replace("language-", "") : "";
      const { start, end } = node?.position ?? {};
      return (
        <CodeBlock
          language={language}
          value={first?.type === "text" ? first.value : ""}
          isClosed={isClosed(written.slice(start?.offset, end?.offset))}
        />
      );
    },
  };
  return (
    <Markdown remarkPlugins={PLUGINS} components={components} urlTransform={safeAddress}>
      {written}
    </Markdown>
  );
});

function safeAddress(address: string): string {
  return LINKS.test(address) || address.startsWith(SOURCE) || address.startsWith("/")
    ? address
    : "";
}

/** A link that says where it leads where its words do not. */
function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const text = useText(chatText);
  if (!LINKS.test(href)) return <>{children}</>;
  const host = hostOf(href);
  const says = typeof children === "string" && host !== "" && children.includes(host);
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={styles.link}>
      {children}
      {!says && host && (
        <span data-aside="" className={styles.host} title={text.link(host)}>
          {host}
        </span>
      )}
    </a>
  );
}

/** Pictures of this origin; others are links, for loading one would tell who reads it. */
function Shown({ src, alt }: { src: string; alt: string }) {
  const text = useText(chatText);
  const isOwn = src !== "" && new URL(src, location.origin).origin === location.origin;
  if (isOwn) return <Picture src={src} name={alt} />;
  return <SafeLink href={src}>{alt || text.image}</SafeLink>;
}

function Table({ children }: { children: ReactNode }) {
  const text = useText(chatText);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: it scrolls, by keys too, and many a conversation has several, which landmarks of one name must not
    <div role="group" aria-label={text.table} tabIndex={0} className={styles.scroll}>
      <table>{children}</table>
    </div>
  );
}

function hostOf(address: string): string {
  try {
    return new URL(address).host;
  } catch {
    return "";
  }
}
