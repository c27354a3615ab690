import { join } from "node:path";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSessionStore } from "../../src/sessions/create-session-store.ts";
import type { SessionMessage } from "../../src/sessions/session-store.ts";
import { createPostgresStore } from "../../src/store/postgres.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import { isWhole, type WholeMessage } from "./whole-message.ts";

let postgres: TestPostgres;
let appending: string;
beforeAll(async () => {
  [postgres, appending] = await Promise.all([startPostgres(), bundleProgram(new URL("appending.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(appending);
  await postgres?.stop();
});

type Line = { readonly last: number } | { readonly sent: string };
type Stored = WholeMessage | (SessionMessage & { readonly role: "user"; readonly content: string });

describe.each(["SQLite", "PostgreSQL"] as const)("a process that is killed while it appends to a session, on %s", (kind) => {
  it("leaves messages without gaps, none of them half, and everything that was acknowledged once", async () => {
    const place = kind === "SQLite" ? join(temporaryFolder(), "store.db") : await createDatabase(postgres);
    const store = kind === "SQLite" ? await createSqliteStore({ path: place }) : await createPostgresStore({ connectionString: place });
    afterThisTest(() => store.close());
    const sessions = createSessionStore<Stored>(store);
    const { id } = await sessions.create({ key: "agent:a:main", agent: "a", kind: "main" });
    const acknowledged: string[] = [];
    for (let round = 0; round < sized(3, 5); round++) {
      const child = startProgram(appending, kind, place, id, String(round));
      await until(() => child.lines.length > 4 + 3 * round, "The process appended nothing.");
      await child.end("SIGKILL");
      // Waits for a transaction that the process left to the database.
      const { last } = await sessions.update(id, { status: "idle" });
      const stored = await sessions.messages(id, { limit: 10_000 });
      expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: last }, (_, index) => index + 1));
      expect(stored.filter(({ message }) => message.role === "assistant" && !isWhole(message))).toEqual([]);
      const lines = child.lines as readonly Line[];
      expect(last).toBeGreaterThanOrEqual(Math.max(...lines.map((line) => ("last" in line ? line.last : 0))));
      acknowledged.push(...lines.flatMap((line) => ("sent" in line ? [line.sent] : [])));
    }
    const { last } = (await sessions.get(id))!;
    await sessions.takeInbox(id, { after: last });
    const all = await sessions.messages(id, { limit: 10_000 });
    const arrived = all.flatMap(({ message }) => (message.role === "user" ? [message.content] : []));
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(acknowledged.filter((content) => !arrived.includes(content))).toEqual([]);
  });
});
