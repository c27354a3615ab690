import { createMemoryStore } from "@toolrack/store";
import { expect, it } from "vitest";
import { createRunRecords, type StoredRun } from "../../../src/rack/programs/run-record.ts";

const actor = { owner: "toolrack-programs", agent: "server", roles: ["curator"] } as const;

const run: Omit<StoredRun, "version"> = {
  id: "program-1",
  status: "waiting",
  server: "this",
  callId: "call-1",
  startedAt: 1,
  updatedAt: 1,
  content: { tool: "run_code", input: {}, caller: { agent: "ada" }, source: "return 1;", pending: [] },
};

it("an older state of a program that is put back whole is refused, and so is a sealed part of another record", async () => {
  const store = await createMemoryStore();
  const records = createRunRecords({ store, sharedKey: new Uint8Array(32).fill(7), keepMs: 1_000 });
  expect(await records.write(run, undefined)).toBe(1);
  const older = (await store.as(actor).get(run.id))!;
  expect(await records.write({ ...run, content: { ...run.content, source: "return 2;" } }, 1)).toBe(2);
  expect(await records.get(run.id)).toMatchObject({ version: 2, content: { source: "return 2;" } });
  const { id, schema_name, title, tags, context } = older;
  await store.as(actor).put({ id, schema_name, title, tags, context, version: 2 });
  await expect(records.get(run.id)).rejects.toThrow(/"program-1" was changed by somebody else.*does not go on/);
  expect(await records.list({})).toMatchObject([{ id: "program-1", content: undefined }]);
  await store.as(actor).put({ id: "program-2", schema_name, title, tags, context });
  await expect(records.get("program-2")).rejects.toThrow(/"program-2" was changed/);
});

it("of two servers that write the same version, one is refused", async () => {
  const store = await createMemoryStore();
  const records = createRunRecords({ store, sharedKey: new Uint8Array(32).fill(7), keepMs: 1_000 });
  await records.write(run, undefined);
  expect(await records.write({ ...run, server: "one" }, 1)).toBe(2);
  expect(await records.write({ ...run, server: "two" }, 1)).toBeUndefined();
  expect(await records.get(run.id)).toMatchObject({ server: "one" });
});
