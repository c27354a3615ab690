import { randomBytes } from "node:crypto";
import type { SessionMessage, SessionStore, StoredSession } from "@toolrack/mcp";
import { type BreadcrumbStore, createMemoryStore } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { sessionStoreContract } from "../../../../mcp/test/serve/http/sessions/session-store-contract.ts";
import { createMcpSessions } from "../../../src/rack/mcp/sessions.ts";
import { followRecords } from "../../../src/rack/store/records.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Servers on one store, each with the key that it is given. */
async function openAll(keys: readonly Uint8Array[]): Promise<{ store: BreadcrumbStore; servers: readonly SessionStore[] }> {
  const store = await createMemoryStore();
  afterThisTest(() => store.close());
  const servers: SessionStore[] = [];
  for (const sharedKey of keys) {
    const feed = await followRecords(store, () => expect.unreachable());
    afterThisTest(() => feed.close());
    servers.push(createMcpSessions({ feed, sharedKey, log, maxPerOwner: 2 }));
  }
  return { store, servers };
}

sessionStoreContract("records", async () => (await openAll([randomBytes(32)])).servers[0]!);

const session: StoredSession = { key: "abc", principal: "ada lovelace", expiresAt: Date.now() + 60_000 };

/** Everything that a server hears; it takes what `isMine` says. */
function listen(server: SessionStore, isMine: (message: SessionMessage) => boolean = () => false): SessionMessage[] {
  const heard: SessionMessage[] = [];
  server.subscribe((message) => {
    heard.push(message);
    return isMine(message);
  });
  return heard;
}

it("SC1: a message reaches every server, and is gone once the one that was meant has taken it", async () => {
  const key = randomBytes(32);
  const { store, servers } = await openAll([key, key, key]);
  const [first, second, third] = servers;
  const heard = [listen(second!), listen(third!, ({ kind }) => kind === "answer")];
  const response = { kind: "response", id: "q", result: { action: "accept", content: { pin: "4711" } } } as const;
  await first!.tell(session, { kind: "answer", session: session.key, response });
  await until(() => heard.every((messages) => messages.length === 1));
  expect(heard.flat().map((message) => message.kind === "answer" && message.response)).toEqual([response, response]);
  await until(async () => (await store.searchBreadcrumbs({})).length === 0);
});

it("SC3: a message cannot be read in the store, nor be made or moved there", async () => {
  const key = randomBytes(32);
  const { store, servers } = await openAll([key, randomBytes(32)]);
  const [first, stranger] = servers;
  const heard = [listen(first!), listen(stranger!)];
  const response = { kind: "response", id: "q", result: { content: { pin: "47-11-47-11" } } } as const;
  await first!.tell(session, { kind: "answer", session: session.key, response });
  const [record] = await store.searchBreadcrumbs({ includeContext: true });
  expect(JSON.stringify(record)).not.toMatch(/47-11|ada lovelace/);
  await store.put({ id: "mcp-message-copy", schema_name: "toolrack.mcp-message.v1", context: record!.context! });
  await store.put({ id: "mcp-message-forged", schema_name: "toolrack.mcp-message.v1", context: { sealed: "AAAA" } });
  // What is told after these has come by when they would have.
  await first!.end(session);
  await until(() => heard.every((messages) => messages.some(({ kind }) => kind === "end")));
  expect(heard.map((messages) => messages.filter(({ kind }) => kind === "answer").length)).toEqual([1, 0]);
});

it("SD12: messages of one caller are bounded, and others are heard all the same", async () => {
  const { servers } = await openAll([randomBytes(32)]);
  const cancel = (who: StoredSession, number: number): Promise<void> =>
    servers[0]!.tell(who, { kind: "cancel", session: who.key, request: `number ${number}` });
  for (let number = 0; number < 1_000; number++) await cancel(session, number);
  await expect(cancel(session, 1_000)).rejects.toMatchObject({ code: "QUEUE_FULL" });
  await cancel({ ...session, principal: "bob" }, 1_001);
});
