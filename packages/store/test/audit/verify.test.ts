import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { addToAudit, pruneAudit } from "../../src/audit/audit.ts";
import { type AuditCheck, verifyAudit } from "../../src/audit/verify.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

const keys = createKeys({ current: Buffer.alloc(32, 5) });

function open() {
  const store = createMemoryStore();
  afterThisTest(() => store.close());
  const add = async (count = 1): Promise<void> => {
    for (let index = 0; index < count; index++) await addToAudit(store, [{ kind: "note", subject: "s", body: index }]);
  };
  return { store, add };
}

const proven = (check: AuditCheck) => check as Extract<AuditCheck, { ok: true }>;

describe("what checking the audit proves", () => {
  const cutOff =
    "Lines that were cut off at the end are not noticed. Keep the last line's number and hash elsewhere, and check against them.";
  const noKey = "The audit has no key: anyone who can write to the database can recompute all of it.";

  it("is told with its limits: without a key, without an end that was kept, with lines from before the key", async () => {
    const { store, add } = open();
    await add(2);
    const first = proven(await verifyAudit(store));
    expect(first).toMatchObject({ ok: true, rows: 2, keyed: 0, last: { number: 2 }, limits: [noKey, cutOff] });
    expect(proven(await verifyAudit(store, { since: first.last })).limits).toEqual([noKey]);
    await keyAudit(store, keys);
    const keyed = proven(await verifyAudit(store, { since: first.last }));
    expect(keyed.keyed).toBe(keyed.rows - 2);
    expect(keyed.limits).toEqual([
      "Line 3 gave the audit its key. The 2 lines before it have no MAC: anyone who could write to the database before then could have recomputed them.",
    ]);
  });

  it("has no limits where the key was there from the first line, and an end was kept", async () => {
    const { store, add } = open();
    await keyAudit(store, keys);
    const { last } = proven(await verifyAudit(store));
    await add();
    expect(proven(await verifyAudit(store, { since: last })).limits).toEqual([]);
  });

  it("includes that the chain goes through the end that was kept", async () => {
    const { store, add } = open();
    await add(3);
    const { last } = proven(await verifyAudit(store));
    for (const since of [
      { ...last, hash: "other" },
      { ...last, number: 2 },
    ])
      expect(await verifyAudit(store, { since })).toEqual({
        ok: false,
        number: since.number,
        reason: `Line ${since.number} of the audit: the chain does not go through the line that was known before.`,
      });
    await add(600);
    expect(await verifyAudit(store, { since: last })).toMatchObject({ ok: true, rows: 603 });
    expect(await verifyAudit(store, { since: { number: 0, hash: "" } })).toMatchObject({ ok: true });
  });

  it("begins where retention left it, and says what is unknown without a key", async () => {
    const { store, add } = open();
    await add(6);
    await pruneAudit(store, { maxRows: 2 });
    const check = proven(await verifyAudit(store));
    expect(check.begin).toEqual({ number: expect.any(Number) });
    expect(check.limits[0]).toBe(
      `The audit begins at line ${check.begin!.number}, and has no key: it is unknown whether retention removed the lines before it, or someone else.`,
    );
  });

  it("is for curators", async () => {
    const { store } = open();
    await expect(verifyAudit(store.as({ ...store.actor, roles: ["subscriber"] }))).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});
