import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { listAudit, verifyAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

const [one, two, three] = [1, 2, 3].map((seed) => Buffer.alloc(32, seed).toString("base64")) as [string, string, string];

/** A server on the store of a folder, under this key, and the errors that it logged at its start. */
async function start(folder: string, environment: Readonly<Record<string, string>>): Promise<{ rack: Rack; errors: string[] }> {
  const errors: string[] = [];
  const nothing = (): void => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: (text: string) => void errors.push(text) };
  const rack = await openTestRack({ folder, config: { store: { sqlite: "data/toolrack.db" } }, environment, log });
  return { rack, errors };
}

async function startWithSecrets(): Promise<{ folder: string; first: Rack }> {
  const folder = temporaryFolder();
  const { rack } = await start(folder, { TOOLRACK_MASTER_KEY: one });
  await rack.secrets.set("api-key", "value-1");
  await rack.secrets.set("other-key", "value-2");
  return { folder, first: rack };
}

const read = (rack: Rack, name: string): Promise<string | undefined> =>
  Promise.resolve(rack.secrets.get({ name, tool: "t", callId: "c", caller: {} }));

describe("a wrong master key", () => {
  it("RC1: refuses calls also where they may run unrecorded", async () => {
    const { folder, first } = await startWithSecrets();
    await first.close();
    const config = { store: { sqlite: "data/toolrack.db" }, audit: { onFailure: "warn" } } as const;
    let runs = 0;
    const count = defineTool({ name: "count", description: "Counts.", inputSchema: { type: "object" }, handler: () => ({ runs: ++runs }) });
    const rack = await openTestRack({ folder, config, environment: { TOOLRACK_MASTER_KEY: two }, tools: [count] });
    expect(await rack.call("count", {}, { caller: {} }).result).toMatchObject({ ok: false, code: "CALL_NOT_RECORDED" });
    expect(runs).toBe(0);
  });

  it("does not make the audit look tampered with: the answer says whose key was used", async () => {
    const { folder, first } = await startWithSecrets();
    await first.close();
    const { rack } = await start(folder, { TOOLRACK_MASTER_KEY: two });
    const answer = await serverOver(rack).ask("GET", "/audit/verification");
    expect(answer).toMatchObject({ status: 503, body: { code: "AUDIT_LOCKED" } });
    expect((answer.body as { detail: string }).detail).toMatch(
      /^The audit cannot be verified with the master key in use\. .* The master key from TOOLRACK_MASTER_KEY does not open /,
    );
  });

  it("is told at the start, with where it comes from and what it does not open, and by readiness, also after a restart", async () => {
    const { folder, first } = await startWithSecrets();
    await first.close();
    for (let round = 0; round < 2; round++) {
      const { rack, errors } = await start(folder, { TOOLRACK_MASTER_KEY: two });
      const told = errors.find((text) => text.includes("does not open what the store holds"));
      expect(told).toMatch(/from TOOLRACK_MASTER_KEY .*2 secrets and the audit key.*TOOLRACK_PREVIOUS_KEYS/);
      const report = await rack.readiness.check();
      expect(report).toMatchObject({ isReady: false, checks: { store: "ok", masterKey: "wrong" } });
      expect(report.problems).toEqual([told]);
      await rack.close();
    }
    const { rack } = await start(folder, { TOOLRACK_MASTER_KEY: one });
    expect(await rack.readiness.check()).toMatchObject({ isReady: true, checks: { masterKey: "ok" } });
    expect(await read(rack, "api-key")).toBe("value-1");
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
  });

  it("lets nothing be recorded under another audit key, and no setting be changed without a line", async () => {
    const { folder, first } = await startWithSecrets();
    const { rack } = await start(folder, { TOOLRACK_MASTER_KEY: two });
    await expect(rack.audit({ kind: "note", subject: "s", by: "boss", body: {} })).rejects.toMatchObject({ code: "AUDIT_LOCKED" });
    await expect(rack.secrets.set("third", "value")).rejects.toMatchObject({ code: "AUDIT_LOCKED" });
    expect((await first.secrets.list()).map(({ name }) => name)).toEqual(["api-key", "other-key"]);
    expect(await verifyAudit(first.store)).toMatchObject({ ok: true });
  });

  it("that is missing is not made anew in silence: the start is refused, with the file and what it would not open", async () => {
    const { folder, first } = await startWithSecrets();
    await first.close();
    await expect(start(folder, {})).rejects.toThrow(
      `there is no ${join(folder, "data", "master.key")}, and nothing else opens 2 secrets and the audit key.`,
    );
  });

  it("leaves the key that the other servers share as it is", async () => {
    const { folder, first } = await startWithSecrets();
    await (await start(folder, { TOOLRACK_MASTER_KEY: two })).rack.close();
    const { rack } = await start(folder, { TOOLRACK_MASTER_KEY: one });
    expect(rack.sharedKey).toEqual(first.sharedKey);
  });

  it("is not taken for a lost one while another server runs with the right one", async () => {
    const { folder, first } = await startWithSecrets();
    await first.call("calculator", { expression: "1+1" }, { caller: { agent: "a" } }).result;
    const { rack } = await start(folder, { TOOLRACK_MASTER_KEY: two });
    const { status, body } = await serverOver(rack).ask("POST", "/master-key/rewrap", { forgetUnreadable: true });
    expect([status, body]).toMatchObject([409, { code: "STATE_INVALID", detail: expect.stringContaining("is not lost") }]);
    expect(await read(first, "api-key")).toBe("value-1");
  });

  it("that is lost is given up only when somebody says so, with its secrets", async () => {
    const { folder, first } = await startWithSecrets();
    await first.close();
    const { rack } = await start(folder, { TOOLRACK_MASTER_KEY: two });
    expect(await rack.masterKey.rewrap({ by: "boss" })).toMatchObject({
      unreadable: { secrets: ["api-key", "other-key"], auditKeys: [expect.any(String)] },
      forgotten: { secrets: [], auditKeys: [] },
    });
    const done = await rack.masterKey.rewrap({ by: "boss", forgetUnreadable: true });
    expect(done).toMatchObject({ unreadable: { secrets: [], auditKeys: [] }, forgotten: { secrets: ["api-key", "other-key"] } });
    expect(await rack.readiness.check()).toMatchObject({ checks: { masterKey: "ok" } });
    await rack.secrets.set("new-key", "value-3");
    expect((await rack.secrets.list()).map(({ name }) => name)).toEqual(["new-key"]);
    await rack.close();
    const { rack: again, errors } = await start(folder, { TOOLRACK_MASTER_KEY: two });
    expect(errors.filter((text) => text.includes("master key"))).toEqual([]);
    expect(await again.readiness.check()).toMatchObject({ isReady: true });
    expect(await verifyAudit(again.store)).toMatchObject({ ok: false });
  });
});

describe("a rotation of the master key", () => {
  it("ends with a rewrap, after which the previous key is not needed, and every secret and the audit open", async () => {
    const { folder, first } = await startWithSecrets();
    const { rack: second } = await start(folder, { TOOLRACK_MASTER_KEY: two, TOOLRACK_PREVIOUS_KEYS: one });
    expect(await second.readiness.check()).toMatchObject({ isReady: true });
    // Until then a server that has only the old key may start again.
    const { rack: old, errors } = await start(folder, { TOOLRACK_MASTER_KEY: one });
    expect([errors, await old.readiness.check()]).toMatchObject([[], { isReady: true }]);
    await old.close();

    expect(await second.masterKey.rewrap({ by: "boss" })).toEqual({
      keyId: second.masterKey.keyId,
      secrets: 2,
      auditKeys: 1,
      sharedKeys: 1,
      unreadable: { secrets: [], auditKeys: [] },
      forgotten: { secrets: [], auditKeys: [] },
      needsPreviousKeys: false,
    });
    expect(await second.masterKey.rewrap({ by: "boss" })).toMatchObject({ secrets: 0, auditKeys: 0, sharedKeys: 0 });
    expect(await listAudit(second.store, { kinds: ["secrets-rewrapped"] })).toMatchObject([{ agent: "boss", body: { count: 2 } }]);
    // The one that still runs with the old key knows that it cannot go on.
    expect(await first.masterKey.check()).toMatchObject({ unreadableSecrets: 2, auditKey: "unreadable" });
    await first.close();
    await second.close();

    const { rack: third, errors: none } = await start(folder, { TOOLRACK_MASTER_KEY: two });
    expect([none, await third.readiness.check()]).toMatchObject([[], { isReady: true }]);
    expect(await read(third, "other-key")).toBe("value-2");
    expect(third.sharedKey).toEqual(first.sharedKey);
    expect(await verifyAudit(third.store)).toMatchObject({ ok: true });
  });

  it("names the servers that still have another key", async () => {
    const { folder, first } = await startWithSecrets();
    await first.call("calculator", { expression: "1+1" }, { caller: { agent: "a" } }).result;
    const { rack: second } = await start(folder, { TOOLRACK_MASTER_KEY: two, TOOLRACK_PREVIOUS_KEYS: `${three},${one}` });
    const { status, body } = await serverOver(second).ask("POST", "/master-key/rewrap", {});
    expect([status, body]).toMatchObject([200, { secrets: 2, otherServers: [first.servers.name], needsPreviousKeys: false }]);
    expect(await listAudit(second.store, { kinds: ["master-key-rewrapped"] })).toMatchObject([{ agent: "owner", body: { secrets: 2 } }]);
    expect((await (await serverOver(second).as("ann", "curator"))("POST", "/master-key/rewrap", {})).status).toBe(403);
  });
});
