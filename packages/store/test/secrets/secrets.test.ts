import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import { listAudit } from "../../src/audit/audit.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { checkAuditKey, keyAudit, openAuditKeys, rewrapAuditKey, rewrapAuditKeys } from "../../src/secrets/audit-key.ts";
import { checkKeys } from "../../src/secrets/key-fit.ts";
import { createKeys, type KeyProvider } from "../../src/secrets/keys.ts";
import { createSecrets, type Secrets } from "../../src/secrets/secrets.ts";
import { createStore, insideOf } from "../../src/store/create-store.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";

const now = 1_800_000_000_000;
const keysOf = (current: number, ...previous: readonly number[]): KeyProvider =>
  createKeys({ current: Buffer.alloc(32, current), previous: previous.map((byte) => Buffer.alloc(32, byte)) });
const [one, two, both] = [keysOf(1), keysOf(2), keysOf(2, 1)];

function open(): BreadcrumbStore {
  const store = createStore(createMemoryEngine(), { clock: createFakeClock(now) });
  afterThisTest(() => store.close());
  return store;
}
async function openSecrets(store: BreadcrumbStore, keys = one): Promise<Secrets> {
  const secrets = await createSecrets(store, { keys });
  afterThisTest(() => secrets.close());
  return secrets;
}
const request = (name: string) => ({ name, tool: "t", callId: "c", caller: { agent: "bot", principal: "p" } });
const rowOf = (store: BreadcrumbStore, name: string) => insideOf(store).engine.secret("local", name);

describe("a secret", () => {
  it("is stored sealed, with a record that names it and lines that say who did what", async () => {
    const store = open();
    const secrets = await openSecrets(store);
    await secrets.set("token", "first", { by: "ann" });
    await secrets.set("token", "second", { by: { agent: "bob", principal: "key b" } });
    expect(await rowOf(store, "token")).toEqual({
      owner: "local",
      name: "token",
      version: 2,
      keyId: one.keyId,
      wrappedKey: expect.any(String),
      sealed: expect.any(String),
      updatedAt: now,
    });
    expect(await store.get("secret-token")).toMatchObject({
      schema_name: "tool.secret.v1",
      title: "Secret token",
      tags: ["tool:secret"],
      context: { name: "token" },
      sensitivity: "secret",
      version: 2,
      updated_by: "bob",
    });
    expect(await secrets.list()).toEqual([{ name: "token", version: 2, updated_at: new Date(now).toISOString(), updated_by: "bob" }]);
    expect(await secrets.get(request("token"))).toBe("second");
    expect(await secrets.get({ ...request("token"), reason: "why" })).toBe("second");
    expect([...secrets.seenValues()]).toEqual(["first", "second"]);
    expect(await secrets.remove("token", { by: "cleo" })).toBe(true);
    expect([await secrets.remove("token"), await rowOf(store, "token"), await secrets.list()]).toEqual([false, undefined, []]);
    const lines = await listAudit(store, { kinds: ["secret-set", "secret-read", "secret-removed"] });
    expect(
      lines.map(({ kind, subject, agent, callId, ok, body }) => ({ kind, subject, agent, callId, ok, body })).toReversed(),
    ).toMatchObject([
      { kind: "secret-set", subject: "token", agent: "ann", body: { version: 1 } },
      { kind: "secret-set", subject: "token", agent: "bob", body: { version: 2 } },
      {
        kind: "secret-read",
        subject: "token",
        callId: "c",
        ok: true,
        body: { tool: "t", caller: { agent: "bot", principal: "p" }, reason: "call of t", version: 2 },
      },
      { kind: "secret-read", body: { reason: "why" } },
      { kind: "secret-removed", subject: "token", agent: "cleo", body: {} },
    ]);
    expect(lines).toHaveLength(5);
  });

  it("that is not set is asked for once, and again after it was removed", async () => {
    const store = open();
    const secrets = await openSecrets(store);
    const asked = async () => (await store.get("config-request-secret-token"))?.context;
    expect([secrets.has("token"), secrets.has("token")]).toEqual([false, false]);
    await turns(5);
    expect(await asked()).toEqual({ secret: "token", tools: [], state: "open" });
    expect((await store.get("config-request-secret-token"))!.version).toBe(1);
    expect(await secrets.get(request("token"))).toBeUndefined();
    expect(await asked()).toEqual({ secret: "token", tools: ["t"], state: "open" });
    await secrets.set("token", "x");
    expect([secrets.has("token"), (await asked())!["state"]]).toEqual([true, "closed"]);
    await secrets.remove("token");
    expect(secrets.has("token")).toBe(false);
    await turns(5);
    expect((await asked())!["state"]).toBe("open");
  });

  it("has 1 to 65,536 characters and a name, and is set, listed and removed by curators", async () => {
    const store = open();
    const secrets = await openSecrets(store);
    await secrets.set("a", "x".repeat(65_536));
    for (const value of ["", "x".repeat(65_537), 5])
      await expect(secrets.set("a", value as string)).rejects.toMatchObject({
        code: "RECORD_INVALID",
        message: 'The value of the secret "a" must be a text of 1 to 65,536 characters.',
      });
    await expect(secrets.set("a b", "x")).rejects.toThrow(/^The name of a secret "a b"/);
    const others = await openSecrets(store.as({ owner: "local", agent: "r", roles: ["emitter", "subscriber"] }));
    for (const [act, what] of [
      [() => others.set("b", "x"), "set secrets"],
      [() => others.remove("b"), "remove secrets"],
      [() => others.list(), "list secrets"],
      [() => others.rewrap(), "change the master key"],
    ] as const)
      await expect(act()).rejects.toThrow(`"r" may not ${what}: that needs the role "curator".`);
  });

  it("is wrapped anew under the new master key, with a line that counts, and does not open with another", async () => {
    const store = open();
    await (await openSecrets(store)).set("a", "va");
    await (await openSecrets(store)).set("b", "vb");
    const secrets = await openSecrets(store, both);
    expect(await checkKeys(store, both)).toEqual({ unreadableSecrets: 0, previousSecrets: 2, auditKey: "none" });
    expect(await checkKeys(store, two)).toEqual({ unreadableSecrets: 2, previousSecrets: 0, auditKey: "none" });
    expect(await secrets.rewrap({ by: "boss" })).toEqual({ rewrapped: 2, unreadable: [], forgotten: [] });
    expect(await secrets.rewrap()).toEqual({ rewrapped: 0, unreadable: [], forgotten: [] });
    expect(await listAudit(store, { kinds: ["secrets-rewrapped"] })).toMatchObject([
      { subject: both.keyId, agent: "boss", body: { count: 2 } },
    ]);
    expect((await rowOf(store, "a"))!.keyId).toBe(two.keyId);
    expect(await (await openSecrets(store, two)).get(request("a"))).toBe("va");
    expect(await checkKeys(store, two)).toEqual({ unreadableSecrets: 0, previousSecrets: 0, auditKey: "none" });
    await expect((await openSecrets(store, one)).get(request("a"))).rejects.toMatchObject({
      code: "SECRET_UNREADABLE",
      message: `The secret "a" was sealed with the master key ${two.keyId}, which is not at hand. Add it to the previous keys, or set the secret again.`,
    });
  });

  it("that no key opens is named, and removed where somebody says so", async () => {
    const store = open();
    await (await openSecrets(store)).set("a", "va");
    const secrets = await openSecrets(store, two);
    expect(await secrets.rewrap()).toEqual({ rewrapped: 0, unreadable: ["a"], forgotten: [] });
    expect(await rowOf(store, "a")).toBeDefined();
    expect(await secrets.rewrap({ forgetUnreadable: true })).toEqual({ rewrapped: 0, unreadable: ["a"], forgotten: ["a"] });
    expect([await rowOf(store, "a"), await secrets.list()]).toEqual([undefined, []]);
  });
});

describe("the key of the audit", () => {
  const record = (store: BreadcrumbStore) => store.get("audit-key");
  const keysIn = async (store: BreadcrumbStore) =>
    ((await record(store))?.context["keys"] ?? []) as readonly { readonly id: string; readonly keyId: string; readonly lost?: boolean }[];

  it("is made once, with the number of lines before it, and is the same for every server", async () => {
    const store = open();
    written(await store.put(note("a")));
    const { last } = await insideOf(store).engine.auditEnds();
    const made = await keyAudit(store, one);
    expect(made).toEqual({
      unkeyedLines: last.number,
      unreadable: [],
      keyId: expect.stringMatching(/^[0-9a-f]{16}$/),
      isExpectedGone: false,
    });
    expect(await keyAudit(store, one)).toEqual({ ...made, unkeyedLines: 0 });
    expect(await record(store)).toMatchObject({
      schema_name: "toolrack.audit-key.v1",
      title: "The key of the audit",
      context: { keys: [{ id: made.keyId, keyId: one.keyId, wrapped: expect.any(String) }] },
    });
    const { auditKeys } = insideOf(store);
    expect([auditKeys.current!.id, [...auditKeys.known.keys()], auditKeys.gone]).toEqual([made.keyId, [made.keyId], undefined]);
    expect(await keyAudit(store, one, { expected: made.keyId })).toMatchObject({ isExpectedGone: false });
    expect(await keyAudit(store, one, { expected: "other" })).toMatchObject({ isExpectedGone: true, keyId: made.keyId });
    expect(auditKeys.gone).toBe("other");
    await expect(keyAudit(store.as({ owner: "local", agent: "r", roles: ["subscriber"] }), one)).rejects.toThrow(/give the audit a key/);
  });

  it("locks the audit where it does not open, until it is declared lost", async () => {
    const store = open();
    const { keyId } = await keyAudit(store, one);
    expect(await keyAudit(store, two)).toEqual({ unkeyedLines: 0, unreadable: [keyId], keyId: undefined, isExpectedGone: false });
    const { auditKeys } = insideOf(store);
    expect([auditKeys.isLocked, auditKeys.known.size]).toEqual([true, 0]);
    const again = open();
    await keyAudit(again, one);
    const [old] = await keysIn(again);
    const lost = await rewrapAuditKey(again, two, { forgetUnreadable: true });
    expect(lost).toEqual({ rewrapped: 0, unreadable: [old!.id], forgotten: [old!.id], newKeyId: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect((await keysIn(again)).map(({ id, lost: isLost }) => [id, isLost])).toEqual([
      [old!.id, true],
      [lost.newKeyId, undefined],
    ]);
    expect(await rewrapAuditKey(again, two, { forgetUnreadable: true })).toEqual({ rewrapped: 0, unreadable: [], forgotten: [] });
    expect(await keyAudit(again, two)).toEqual({ unkeyedLines: 0, unreadable: [], keyId: lost.newKeyId, isExpectedGone: false });
  });

  it("fits the master keys at hand, or not", async () => {
    const store = open();
    expect(await checkAuditKey(store, one)).toEqual({ state: "none" });
    expect(await rewrapAuditKey(store, one)).toEqual({ rewrapped: 0, unreadable: [], forgotten: [] });
    await keyAudit(store, one);
    expect([await checkAuditKey(store, one), await checkAuditKey(store, both), await checkAuditKey(store, two)]).toEqual([
      { state: "current" },
      { state: "previous" },
      { state: "unreadable" },
    ]);
    expect((await checkKeys(store, both)).auditKey).toBe("previous");
    expect(await rewrapAuditKey(store, two)).toMatchObject({ rewrapped: 0, forgotten: [] });
    expect(await rewrapAuditKey(store, both)).toEqual({ rewrapped: 1, unreadable: [], forgotten: [] });
    expect([await checkAuditKey(store, two), await checkAuditKey(store, one)]).toEqual([{ state: "current" }, { state: "unreadable" }]);
    await rewrapAuditKey(store, one, { forgetUnreadable: true });
    expect(await checkAuditKey(store, one)).toEqual({ state: "current" });
    const all = (await record(store))!;
    const [first, second] = await keysIn(store);
    expect(await openAuditKeys(all, one)).toEqual({ opened: [{ id: second!.id, bytes: expect.anything() }], unreadable: [] });
    expect((await openAuditKeys({ ...all, context: { keys: [{ ...first!, lost: false }, second!] } } as never, one)).unreadable).toEqual([
      first!.id,
    ]);
    expect(await checkAuditKeyOf(store, [{ ...first!, lost: false }, second!])).toEqual({ state: "unreadable" });
    expect(await checkAuditKeyOf(store, [second!, { ...first!, lost: false }])).toEqual({ state: "current" });
    expect(await checkAuditKeyOf(store, [{ ...first!, lost: true }])).toEqual({ state: "none" });
    await expect(checkAuditKeyOf(store, undefined)).rejects.toMatchObject({
      code: "RECORD_INVALID",
      message: 'The record "audit-key" holds no keys. Restore it from a back-up.',
    });
  });

  async function checkAuditKeyOf(store: BreadcrumbStore, keys: unknown) {
    const stored = (await record(store))!;
    return checkAuditKey({ get: async () => ({ ...stored, context: { keys } }) } as never, one);
  }

  it("is wrapped anew for another store, as far as it opens", async () => {
    const store = open();
    await keyAudit(store, one);
    const stored = (await record(store))!;
    expect(await rewrapAuditKeys(stored, one, one)).toBeUndefined();
    const [key] = await keysIn(store);
    const again = (await rewrapAuditKeys(stored, one, two)) as { readonly keys: unknown[] };
    expect(again).toEqual({ keys: [{ id: key!.id, keyId: two.keyId, wrapped: expect.any(String) }] });
    expect((await openAuditKeys({ ...stored, context: again } as never, two)).opened).toHaveLength(1);
    expect(await rewrapAuditKeys(stored, two, keysOf(3))).toEqual({ keys: [key] });
  });
});
