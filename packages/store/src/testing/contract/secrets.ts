import { createRegistry, defineTool } from "@toolrack/core";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { listAudit } from "../../audit/audit.ts";
import { checkKeys } from "../../secrets/key-fit.ts";
import { createKeys } from "../../secrets/keys.ts";
import { createSecrets } from "../../secrets/secrets.ts";
import { insideOf } from "../../store/create-store.ts";
import type { OpenStore } from "./open.ts";

const keyA = Buffer.alloc(32, 1);
const keyB = Buffer.alloc(32, 2);
const planted = "pl4nted-s3cret-value";

export function secretContract(open: OpenStore): void {
  describe("secrets", () => {
    // row: H18
    it("give a value only to a tool that declared it, and note each reading", async () => {
      const store = await open();
      const secrets = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      const registry = createRegistry({ secrets });
      const base = { description: "Uses a key", inputSchema: { type: "object" } } as const;
      registry.register(
        defineTool({
          ...base,
          name: "user",
          metadata: { secrets: ["api-key"] },
          handler: async (_, context) => (await context.secret("api-key")).length,
        }),
      );
      registry.register(defineTool({ ...base, name: "thief", handler: (_, context) => context.secret("api-key") }));
      expect(registry.entries().map(({ state }) => state)).toEqual(["needs-configuration", "ready"]);
      expect(await registry.invoke("user", {})).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
      await secrets.set("api-key", planted);
      expect(await registry.invoke("user", {}, { caller: { agent: "planner" } })).toMatchObject({ ok: true, data: planted.length });
      expect(await registry.invoke("thief", {})).toMatchObject({ ok: false, code: "SECRET_MISSING" });
      const [reading] = await listAudit(store, { kinds: ["secret-read"] });
      expect(reading).toMatchObject({
        subject: "api-key",
        callId: expect.any(String) as string,
        body: { tool: "user", caller: { agent: "planner" }, reason: "call of user" },
      });
      await secrets.close();
    });

    // row: H23
    it("open one request for a missing secret, and close it when it is set", async () => {
      const store = await open();
      const secrets = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      const request = { name: "api-key", tool: "t", callId: "c", caller: {} };
      for (let times = 0; times < 3; times++) expect(await secrets.get(request)).toBeUndefined();
      const requests = async () => (await store.search({ schema_name: "tool.config.request.v1", includeContext: true })).records;
      expect(await requests()).toMatchObject([
        { version: 1, tags: ["tool:config:request", "state:open"], context: { secret: "api-key", tools: ["t"], state: "open" } },
      ]);
      await secrets.set("api-key", planted);
      expect(await requests()).toMatchObject([{ version: 2, context: { state: "closed" } }]);
      expect(await secrets.get(request)).toBe(planted);
      await secrets.close();
    });

    it("are listed by name, replaced, removed, and seen by other processes", async () => {
      const store = await open();
      const secrets = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      const elsewhere = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      await secrets.set("one", planted);
      await secrets.set("one", `${planted}-2`);
      expect(await secrets.list()).toMatchObject([{ name: "one", version: 2 }]);
      expect(JSON.stringify(await secrets.list())).not.toContain(planted);
      await expect.poll(() => elsewhere.has("one")).toBe(true);
      expect(await elsewhere.get({ name: "one", tool: "t", callId: "c", caller: {} })).toBe(`${planted}-2`);
      expect(await secrets.remove("one")).toBe(true);
      expect(await secrets.remove("one")).toBe(false);
      await expect.poll(() => elsewhere.has("one")).toBe(false);
      expect(await secrets.get({ name: "one", tool: "t", callId: "c", caller: {} })).toBeUndefined();
      await secrets.close();
      await elsewhere.close();
    });

    it("are wrapped anew under another master key, after which the old one opens nothing", async () => {
      const store = await open();
      const request = { name: "one", tool: "t", callId: "c", caller: {} };
      const before = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      for (const name of ["one", "two", "three"]) await before.set(name, `${planted} ${name}`);
      const rotated = await createSecrets(store, { keys: createKeys({ current: keyB, previous: [keyA.toString("hex")] }) });
      expect(await rotated.get(request)).toBe(`${planted} one`);
      expect(await checkKeys(store, createKeys({ current: keyB, previous: [keyA] }))).toMatchObject({
        previousSecrets: 3,
        unreadableSecrets: 0,
      });
      expect(await checkKeys(store, createKeys({ current: keyB }))).toMatchObject({ previousSecrets: 0, unreadableSecrets: 3 });
      expect(await rotated.rewrap()).toEqual({ rewrapped: 3, unreadable: [], forgotten: [] });
      expect(await rotated.rewrap()).toEqual({ rewrapped: 0, unreadable: [], forgotten: [] });
      expect(await checkKeys(store, createKeys({ current: keyB }))).toMatchObject({ previousSecrets: 0, unreadableSecrets: 0 });
      const after = await createSecrets(store, { keys: createKeys({ current: keyB.toString("base64") }) });
      expect(await after.get(request)).toBe(`${planted} one`);
      await expect(before.get(request)).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
      for (const one of [before, rotated, after]) await one.close();
    });

    it("are wrapped anew although others do not open, which stay as they are until somebody says that their key is lost", async () => {
      const store = await open();
      const keyC = Buffer.alloc(32, 3);
      const lost = await createSecrets(store, { keys: createKeys({ current: keyC }) });
      // More than one page of them come first.
      await lost.set("a", planted);
      await insideOf(store).inUnit(async ({ tx }) => {
        const row = (await tx.secret("local", "a"))!;
        for (let index = 0; index < 100; index++) await tx.saveSecret({ ...row, name: `a${index}` });
      });
      const before = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      await before.set("z", planted);
      const keys = createKeys({ current: keyB, previous: [keyA] });
      const rotated = await createSecrets(store, { keys });
      const first = await rotated.rewrap({ by: "boss" });
      expect(first).toMatchObject({ rewrapped: 1, forgotten: [] });
      expect(first.unreadable).toHaveLength(101);
      expect(await checkKeys(store, keys)).toMatchObject({ previousSecrets: 0, unreadableSecrets: 101 });
      expect(await listAudit(store, { kinds: ["secrets-rewrapped"] })).toMatchObject([{ agent: "boss", body: { count: 1 } }]);
      expect(await lost.get({ name: "a", tool: "t", callId: "c", caller: {} })).toBe(planted);
      const readable = async (secrets: typeof lost) =>
        (await secrets.list()).map(({ name, unreadable = false }) => [name, !unreadable]).toSorted();
      expect([await readable(rotated), await readable(lost)]).toEqual([
        [
          ["a", false],
          ["z", true],
        ],
        [
          ["a", true],
          ["z", false],
        ],
      ]);
      const last = await rotated.rewrap({ forgetUnreadable: true });
      expect(last.forgotten).toHaveLength(101);
      expect((await rotated.list()).map(({ name }) => name)).toEqual(["z"]);
      expect(await checkKeys(store, keys)).toMatchObject({ unreadableSecrets: 0 });
      for (const one of [lost, before, rotated]) await one.close();
    });

    it("are wrapped anew by two servers at once, while a third sets one of them", async () => {
      const store = await open();
      const before = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      for (const name of ["one", "two", "three"]) await before.set(name, planted);
      const keys = createKeys({ current: keyB, previous: [keyA] });
      const [first, second] = await Promise.all([createSecrets(store, { keys }), createSecrets(store, { keys })]);
      const [a, b] = await Promise.all([first.rewrap(), second.rewrap(), first.set("two", `${planted}-2`)]);
      expect(a.rewrapped + b.rewrapped).toBeLessThanOrEqual(3);
      expect(await checkKeys(store, createKeys({ current: keyB }))).toMatchObject({ unreadableSecrets: 0 });
      const get = (name: string): Promise<string | undefined> => second.get({ name, tool: "t", callId: "c", caller: {} });
      expect(await Promise.all(["one", "two", "three"].map(get))).toEqual([planted, `${planted}-2`, planted]);
      for (const one of [before, first, second]) await one.close();
    });

    it("refuse roles that may not set them, names and values that cannot be, and keys of the wrong size", async () => {
      const store = await open();
      const emitter = await createSecrets(store.as({ owner: "local", agent: "x", roles: ["emitter", "subscriber"] }), {
        keys: createKeys({ current: keyA }),
      });
      await expect(emitter.set("a", "b")).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(emitter.list()).rejects.toMatchObject({ code: "FORBIDDEN" });
      const secrets = await createSecrets(store, { keys: createKeys({ current: keyA }) });
      await expect(secrets.set("a b", "x")).rejects.toMatchObject({ code: "RECORD_INVALID" });
      await expect(secrets.set("a", "")).rejects.toMatchObject({ code: "RECORD_INVALID" });
      expect(() => createKeys({ current: "short" })).toThrow(/32 bytes/);
      await emitter.close();
      await secrets.close();
    });
  });
}
