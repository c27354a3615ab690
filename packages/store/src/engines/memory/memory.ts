import { writeLogPage } from "../../engine/write-log-page.ts";
import type { Engine, Writes } from "../../engine/engine.ts";
import type { TicketName } from "../../engine/tickets.ts";
import { createListeners } from "../_listeners.ts";
import { createQueryMeter } from "../../engine/stats.ts";
import { createTurns } from "../../queue/turns.ts";
import { createTables, type MemoryTables } from "./tables.ts";
import { createReads } from "./reads.ts";
import { createSnapshot } from "./snapshot.ts";
import { createWrites } from "./writes.ts";

/** Everything in memory: for tests and experiments. Gone when the process ends. */
export function createMemoryEngine(): Engine {
  let tables: MemoryTables = createTables();
  const listeners = createListeners();
  const ticketListeners = createListeners<[TicketName | undefined]>();
  const turns = createTurns();
  const meter = createQueryMeter();
  let draft: MemoryTables;
  const tx = createWrites(() => draft);

  async function write<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    const result = await writeAudit(work);
    listeners.tell();
    return result;
  }

  async function writeAudit<Result>(work: (tx: Writes) => Promise<Result>): Promise<Result> {
    const { result, changed } = await turns.alone(async () => {
      draft = createTables(tables);
      const result = await work(tx);
      draft.commit();
      return { result, changed: draft.changedTickets };
    });
    for (const ticket of changed) ticketListeners.tell(ticket);
    return result;
  }

  return {
    kind: "memory",
    hasChains: false,
    ...createReads(() => tables),
    write,
    writeAudit,
    writeLog: (page) => writeAudit((tx) => writeLogPage(tx, page)),
    pagesAtOnce: 1,
    snapshot: (work) => work(createSnapshot(tables)),
    onWake: listeners.add,
    onTicket: ticketListeners.add,
    stats: () => ({ kind: "memory", wakeUps: "memory", queries: meter.stats() }),
    async close() {
      tables = createTables();
    },
  };
}
