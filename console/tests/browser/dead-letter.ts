import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Server } from "./server";

type Letter = { consumer: string; topic: string; payload: unknown; error: string };

/** Leaves an event as a consumer does after its last try: nothing that the API offers leads there. */
export function giveUp({ dataDir }: Pick<Server, "dataDir">, letter: Letter): void {
  const database = new DatabaseSync(join(dataDir, "coterie.db"), { timeout: 10_000 });
  database
    .prepare(
      `INSERT INTO dead_letter
         (consumer, event_id, topic, "key", payload, attempts, error, died_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      letter.consumer,
      crypto.randomUUID().replaceAll("-", ""),
      letter.topic,
      "1",
      Buffer.from(JSON.stringify(letter.payload)),
      8,
      letter.error,
      Date.now() * 1000,
    );
  database.close();
}
