import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import { type Cluster, startCluster } from "../_cluster.ts";

interface Sent {
  readonly status: number;
  readonly session: string | undefined;
  readonly text: string;
}

/** Sends one message to one server of the cluster, as a legacy client with this key. */
async function send(cluster: Cluster, server: number, key: string, session: string | undefined, message: object): Promise<Sent> {
  const response = await open(cluster, server, key, session, message);
  return { status: response.status, session: response.headers.get("mcp-session-id") ?? undefined, text: await response.text() };
}

function open({ servers }: Cluster, server: number, key: string, session: string | undefined, message?: object, method = "POST") {
  return fetch(`${servers[server]!.url}/mcp`, {
    method,
    headers: {
      "content-type": "application/json",
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      authorization: `Bearer ${key}`,
      ...(session !== undefined && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
    },
    ...(message !== undefined && { body: JSON.stringify({ jsonrpc: "2.0", ...message }) }),
  });
}

const handshake = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: { form: {} } },
  clientInfo: { name: "test", version: "1.0.0" },
};

async function begin(cluster: Cluster, server: number, key: string): Promise<string> {
  return (await send(cluster, server, key, undefined, { id: 0, method: "initialize", params: handshake })).session!;
}

const call = (id: number, name: string, given: object = {}): object => ({ id, method: "tools/call", params: { name, arguments: given } });
const cancel = (requestId: unknown): object => ({ method: "notifications/cancelled", params: { requestId } });

/** The first question in an answer that is a stream. */
async function questionIn(response: Response): Promise<{ readonly id: string; rest(): Promise<string> }> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`No question came: ${text}`);
    text += decoder.decode(value, { stream: true });
    const id = /"id":"([^"]+)","method":"elicitation\/create"/.exec(text)?.[1];
    if (id === undefined) continue;
    const rest = async (): Promise<string> => {
      let more = "";
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) more += decoder.decode(piece.value, { stream: true });
      return more;
    };
    return { id, rest };
  }
}

/** How many records there are about sessions and between servers, as the servers themselves see them. */
async function kept({ servers }: Cluster): Promise<number> {
  const inner = servers[0]!.rack.store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] });
  const records = await inner.searchBreadcrumbs({});
  return records.filter(({ schema_name }) => schema_name.startsWith("toolrack.mcp-")).length;
}

it("SC3: nobody cancels the call of another session, by whatever id", async () => {
  const cluster = await startCluster("SQLite", {}, 2);
  const { anna, otherOfAnna, eve } = cluster.keys;
  const session = await begin(cluster, 0, anna);
  const calling = send(cluster, 0, anna, session, call(7, "hold", { number: 7 }));
  await until(() => cluster.began.has(7));
  for (const server of [0, 1]) {
    // The session of somebody else, or of the same agent with another key, is as good as none.
    expect((await send(cluster, server, eve, session, cancel(7))).status).toBe(404);
    expect((await send(cluster, server, otherOfAnna, session, cancel(7))).status).toBe(404);
    expect((await send(cluster, server, anna, `${session}x`, cancel(7))).status).toBe(404);
    // The same request id in a session of one's own, and in another session of the same caller.
    expect((await send(cluster, server, eve, await begin(cluster, server, eve), cancel(7))).status).toBe(202);
    expect((await send(cluster, server, anna, await begin(cluster, server, anna), cancel(7))).status).toBe(202);
    // 7 and "7" are two requests.
    expect((await send(cluster, server, anna, session, cancel("7"))).status).toBe(202);
  }
  // Everything that was said is known everywhere by now: what comes after it is.
  const marker = send(cluster, 0, anna, session, call(8, "hold", { number: 8 }));
  await until(() => cluster.began.has(8));
  expect((await send(cluster, 1, anna, session, cancel(8))).status).toBe(202);
  expect((await marker).text).toContain("cancelled");
  expect([...cluster.cancelled.keys()]).toEqual([8]);
  expect((await send(cluster, 1, anna, session, cancel(7))).status).toBe(202);
  expect((await calling).text).toContain("cancelled");
});

it("SC3: nobody answers a question that was put to another session, and a made-up answer is written nowhere", async () => {
  const cluster = await startCluster("SQLite", {}, 2);
  const { anna, otherOfAnna, eve } = cluster.keys;
  const session = await begin(cluster, 0, anna);
  const { id, rest } = await questionIn(await open(cluster, 0, anna, session, call(1, "ask")));
  // The last character may hold bits that say nothing; the one before it says something, and is another one here for sure.
  const forged = `${id.slice(0, -2)}${id.at(-2) === "A" ? "B" : "A"}${id.at(-1)!}`;
  const answer = (name: string, to = id): object => ({ id: to, result: { action: "accept", content: { name } } });
  for (const server of [0, 1]) {
    expect((await send(cluster, server, eve, session, answer("Eve"))).status).toBe(404);
    expect((await send(cluster, server, otherOfAnna, session, answer("Eve"))).status).toBe(404);
    expect((await send(cluster, server, eve, await begin(cluster, server, eve), answer("Eve"))).status).toBe(202);
    expect((await send(cluster, server, anna, session, answer("Eve", forged))).status).toBe(202);
    expect((await send(cluster, server, anna, session, answer("Eve", "1"))).status).toBe(202);
  }
  expect(await kept(cluster)).toBe(0);
  expect((await send(cluster, 1, anna, session, answer("Ada"))).status).toBe(202);
  expect(await rest()).toContain("Ada on 0");
  await until(async () => (await kept(cluster)) === 0);
});

it("SC10: a page of a long result is read from any server, by whoever made the call alone", async () => {
  const cluster = await startCluster("SQLite", {}, 2);
  const { anna, eve } = cluster.keys;
  const read = async (server: number, key: string, uri: string): Promise<{ text?: string; next?: string }> => {
    const { text } = await send(cluster, server, key, undefined, { id: 1, method: "resources/read", params: { uri } });
    const [page] =
      (JSON.parse(text) as { result?: { contents: { text: string; _meta?: Record<string, string> }[] } }).result?.contents ?? [];
    // Short, since a failing test shows it.
    return { ...(page && { text: `${page.text.length} × ${page.text[0]}` }), ...(page?._meta && { next: page._meta["toolrack/next"] }) };
  };
  const called = (await send(cluster, 0, anna, undefined, call(1, "long"))).text;
  const uri = /toolrack:\/\/results\/[\w.-]+\/2/.exec(called)![0];
  for (const server of [0, 1]) {
    const second = await read(server, anna, uri);
    expect(second.text).toBe("65536 × 2");
    const third = await read(server, anna, second.next!);
    expect([third.text, third.next]).toEqual(["65536 × 3", undefined]);
    // Neither somebody else, nor a page that there is not, nor an id that nobody made.
    expect(await read(server, eve, uri)).toEqual({});
    expect(await read(server, anna, uri.replace(/2$/, "4"))).toEqual({});
    expect(await read(server, anna, uri.replace(/.\/2$/, "_/2"))).toEqual({});
  }
  await until(async () => (await kept(cluster)) === 0);
});

it("SC4: a session that is ended on one server is ended on all, with its calls and streams", async () => {
  const cluster = await startCluster("SQLite", {}, 2);
  const { anna, eve } = cluster.keys;
  const session = await begin(cluster, 0, anna);
  const other = await begin(cluster, 0, anna);
  const calling = send(cluster, 0, anna, session, call(1, "hold", { number: 1 }));
  const listening = await open(cluster, 0, anna, session, undefined, "GET");
  await until(() => cluster.began.has(1));
  expect((await open(cluster, 1, eve, session, undefined, "DELETE")).status).toBe(404);
  expect((await open(cluster, 1, anna, session, undefined, "DELETE")).status).toBe(204);
  expect((await calling).text).toContain("ABORTED");
  await listening.text();
  for (const server of [0, 1]) {
    await until(async () => (await send(cluster, server, anna, session, { id: 2, method: "tools/list" })).status === 404);
    expect((await send(cluster, server, anna, other, { id: 2, method: "tools/list" })).status).toBe(200);
  }
});

it("SC5: what a client set for its session holds on every server", async () => {
  const cluster = await startCluster("SQLite", {}, 2);
  const session = await begin(cluster, 0, cluster.keys.anna);
  const said = async (server: number): Promise<string> => (await send(cluster, server, cluster.keys.anna, session, call(1, "level"))).text;
  expect(await said(1)).not.toContain("logged on 1");
  const set = { id: 2, method: "logging/setLevel", params: { level: "info" } };
  expect((await send(cluster, 0, cluster.keys.anna, session, set)).status).toBe(200);
  expect(await said(0)).toContain("logged on 0");
  await until(async () => (await said(1)).includes("logged on 1"));
});

it("SC7: a question waits for its answer as long as approvals.waitMs says, and no longer", async () => {
  const cluster = await startCluster("SQLite", { approvals: { waitMs: 300 } }, 1);
  const session = await begin(cluster, 0, cluster.keys.anna);
  const { rest } = await questionIn(await open(cluster, 0, cluster.keys.anna, session, call(1, "ask")));
  expect(await rest()).toContain("it did not answer in time");
});

it("SC8: sessions and calls that are neither cancelled nor ask write no record, and an answer that is too large ends its question", async () => {
  const cluster = await startCluster("SQLite", {}, 2);
  const { anna } = cluster.keys;
  const session = await begin(cluster, 0, anna);
  for (const server of [0, 1, 0, 1]) await send(cluster, server, anna, session, call(server, "level"));
  expect(await kept(cluster)).toBe(0);
  const { id, rest } = await questionIn(await open(cluster, 0, anna, session, call(9, "ask")));
  const large = { id, result: { action: "accept", content: { name: "x".repeat(600_000) } } };
  expect((await send(cluster, 1, anna, session, large)).status).toBe(413);
  expect(await rest()).toContain("at most 524288 are passed on");
});

it("SC9: a stream that no server has, or that is another session's, is not waited for", async () => {
  const cluster = await startCluster("SQLite", {}, 2);
  const { anna, eve } = cluster.keys;
  const resume = async (server: number, key: string, session: string, last: string): Promise<Response> =>
    fetch(`${cluster.servers[server]!.url}/mcp`, {
      headers: { accept: "text/event-stream", authorization: `Bearer ${key}`, "mcp-session-id": session, "last-event-id": last },
    });
  const session = await begin(cluster, 0, anna);
  const events = (await send(cluster, 0, anna, session, call(1, "leave"))).text;
  const last = /^id: (\S+)/m.exec(events)![1]!;
  // The other server sends the client on, the one that has the stream answers from it.
  const sent = await (await resume(1, anna, session, last)).text();
  expect(sent).toBe(`id: ${last}\nretry: 200\ndata: \n\n`);
  expect(await (await resume(0, anna, session, last)).text()).toContain("answered by 0");
  for (const server of [0, 1]) {
    expect((await resume(server, anna, session, `${last.slice(0, -4)}AA_0`)).status).toBe(404);
    expect((await resume(server, eve, await begin(cluster, server, eve), last)).status).toBe(404);
  }
  // It is done on the server that had it, and the other one gives up after a while.
  expect((await resume(0, anna, session, last)).status).toBe(404);
  const statuses = new Set<number>();
  for (let visit = 0; visit < 40; visit++) statuses.add((await resume(1, anna, session, last)).status);
  expect([...statuses]).toEqual([200, 404]);
});
