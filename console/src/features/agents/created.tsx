import type { ReactNode } from "react";
import { useText } from "../../text/catalogue";
import { Button } from "../../ui/button/button";
import { Dialog } from "../../ui/dialog/dialog";
import { agentsText } from "./text";

type Props = {
  agent: { readonly name: string };
  onOpen: () => void;
  onClose: () => void;
  children: ReactNode;
};

/** Says that an agent is there, and what is to be known before it is opened, now or later. */
export function Created({ agent, onOpen, onClose, children }: Props) {
  const { creation: text, ...words } = useText(agentsText);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.created(agent.name)}
      actions={
        <>
          <Button onClick={onClose}>{text.later}</Button>
          <Button kind="primary" onClick={onOpen}>
            {words.open}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
