import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useText } from "../../../text/catalogue";
import { CardHead } from "../../../ui/list/card-head";
import { DocumentState } from "../base/document-state";
import type { Progress } from "../base/queries";
import styles from "./image-card.module.css";
import { Picture } from "./picture";
import type { Image } from "./queries";
import { imageText } from "./text";

type Props = {
  workspaceId: string;
  image: Image;
  progress: Progress | undefined;
  menu: ReactNode;
};

/** A picture with its caption, the text in it, and what becomes of it. */
export function ImageCard({ workspaceId, image, progress, menu }: Props) {
  const text = useText(imageText);
  const { document, caption } = image;
  return (
    <>
      <div className={styles.frame}>
        <Picture image={image} />
      </div>
      <CardHead
        link={(className) => (
          <Link
            to="/w/$workspaceId/knowledge/$baseId/documents/$documentId"
            params={{ workspaceId, baseId: document.dataset_id, documentId: document.id }}
            className={className}
            title={document.name}
          >
            {document.name}
          </Link>
        )}
        menu={menu}
      />
      <p className={styles.caption} data-is-none={!caption || undefined}>
        {caption || text.noCaption}
      </p>
      {image.text && (
        <p className={styles.read} title={text.read}>
          {image.text}
        </p>
      )}
      <div className={styles.foot}>
        <DocumentState document={document} progress={progress} />
      </div>
    </>
  );
}
