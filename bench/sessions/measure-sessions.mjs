import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleStore } from "../lib/bundle.mjs";

const count = 1_000;
const rounds = 21;
const mostMs = 100;
const text = "A sentence of a conversation, as long as many are. ".repeat(40);

/** CPU time of this process, and the time by the clock; the database's own CPU time is only in the latter. */
export async function measureSessions() {
  const modules = await bundleStore("sessions");
  const { createMemoryStore, createPostgresStore, createSessionStore, createSqliteStore } = await import(modules.store);
  const { startPostgres } = await import(modules.postgres);
  const rows = [];
  for (const engine of ["memory", "sqlite", "postgres"]) {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-sessions-"));
    const database = engine === "postgres" ? await startPostgres() : undefined;
    const store =
      engine === "memory"
        ? createMemoryStore()
        : engine === "sqlite"
          ? await createSqliteStore({ path: join(folder, "store.db") })
          : await createPostgresStore({ connectionString: database.connectionString });
    try {
      const sessions = createSessionStore(store);
      const { id } = await sessions.create({ key: "agent:bench:main", agent: "bench", kind: "main" });
      const appended = await measured(async () => {
        for (let last = 0; last < count;)
          last = await sessions.append(id, [{ role: "assistant", content: text, calls: [] }], { after: last });
      });
      const reads = [];
      for (let round = 0; round < rounds; round++)
        reads.push(
          await measured(async () => {
            const session = await sessions.get("agent:bench:main");
            const messages = await sessions.messages(session.id);
            if (messages.length !== count) throw new Error(`${messages.length} messages were read.`);
          }),
        );
      const [cpuMs, wallMs] = [median(reads.map((one) => one.cpuMs)), median(reads.map((one) => one.wallMs))];
      const verdict = wallMs < mostMs ? "ok" : "over";
      rows.push([engine, ms(cpuMs), ms(wallMs), `< ${mostMs} ms`, verdict, ms(appended.cpuMs / count), ms(appended.wallMs / count)]);
    } finally {
      await store.close();
      await database?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return [
    {
      caption: `A session with ${count} messages of ${text.length} characters, read whole (median of ${rounds}); a message, appended alone`,
      columns: ["store", "read (CPU)", "read", "target", "verdict", "append (CPU)", "append"],
      rows,
    },
  ];
}

async function measured(work) {
  const [cpu, begun] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - begun };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function ms(value) {
  return `${value.toFixed(2)} ms`;
}
