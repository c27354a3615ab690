import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createPostgresStore } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { startOwnPostgres } from "../src/postgres.ts";
import { embeddedFolder, embeddedPrograms, otherUser } from "../src/postgres-programs.ts";

describe("the PostgreSQL that the tests bring along", () => {
  it("runs where its install script did not, and from a folder that only root may enter", async () => {
    const closed = mkdtempSync(join(tmpdir(), "toolrack-closed-"));
    const native = join(closed, "native");
    cpSync(embeddedFolder(), native, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() });
    chmodSync(closed, 0o700);
    const programs = embeddedPrograms(native, otherUser());
    expect(programs.folder.startsWith(closed)).toBe(false);
    const server = await startOwnPostgres({ programs });
    const store = await createPostgresStore({ connectionString: server.connectionString });
    expect(await store.put({ id: "a", schema_name: "note.v1", context: {} })).toMatchObject({ ok: true });
    await server.restart("SIGKILL");
    await expect.poll(async () => (await store.get("a").catch(() => undefined))?.version).toBe(1);
    await store.close();
    await server.stop();
    expect(existsSync(dirname(programs.folder))).toBe(false);
    rmSync(closed, { recursive: true });
  });
});
