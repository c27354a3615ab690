import type { Registry } from "@toolrack/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { metadataPath, mountMcp, type McpMountOptions } from "../../../src/http/mcp/mount.ts";
import { securityHeaders } from "../../../src/http/reply/respond.ts";
import type { RequestServices } from "../../../src/http/request/services.ts";
import { Credential } from "../../../src/http/sign-in/credential.ts";
import { toIdentity } from "../../../src/http/sign-in/identity.ts";
import { Problem } from "../../../src/http/reply/problem.ts";
import type { HandedReply, WholeReply } from "../../../src/http/transport/exchange.ts";
import { WebRequest } from "../../../src/http/transport/web.ts";

const opened: Record<string, any>[] = [];
const visits: any[] = [];
let openFault: Error | undefined;

vi.mock(import("../../../src/http/mcp/endpoint.ts"), () => ({
  openMcpEndpoint: ((options: Record<string, unknown>) => {
    if (openFault !== undefined) throw openFault;
    opened.push(options);
    const number = opened.length;
    return {
      usage: { sessions: number, streams: 10 * number },
      fetch: async (_request: Request, visitor: unknown) => (visits.push(visitor), new Response("ok")),
      node: (...given: unknown[]) => visits.push(given),
      close: async () => void events.push(`closed ${number}`),
    };
  }) as never,
  createUsedStates: undefined as never,
}));

const operations: any[] = [];
const told: unknown[] = [];
vi.mock(import("../../../src/telemetry/trace/mcp-operation.ts"), async (original) => ({
  ...(await original()),
  openMcpOperation: ((facts: unknown) => {
    operations.push(facts);
    return {
      answered: (...given: unknown[]) => told.push(["answered", ...given]),
      result: (...given: unknown[]) => told.push(["result", ...given]),
    };
  }) as never,
}));
vi.mock(import("../../../src/telemetry/trace/request-span.ts"), () => ({
  openRequestSpan: (_server, route, cameIn) => ({
    traceContext: cameIn,
    run: (work) => work(),
    end: (...given) => void told.push([route, "ends", ...given]),
  }),
}));

const events: string[] = [];
const noted: Record<string, unknown>[] = [];
beforeEach(() => {
  for (const list of [opened, visits, events, noted, operations, told]) list.length = 0;
  openFault = undefined;
});

const clock = { now: () => 0, after: () => () => undefined };
const keyOf = (id: string | undefined) => new Credential({ ...(id !== undefined && { id }), clock });
const ada = (credential?: Credential) => toIdentity({ agent: "ada", roles: [], via: "key", storeOwner: "acme", credential });

const registry = {
  has: (name: string) => name === "echo",
  get: (name: string) => (name === "Echo" ? { name: "echo" } : undefined),
  view: () => ({ tools: [{ name: "echo" }, { name: "fail" }, { name: "other" }] }),
  list: () => [{ name: "echo" }, { name: "fail" }, { name: "other" }],
  invoke: async (name: string) => ({ ok: true, content: `called ${name}` }),
} as unknown as Registry;

function mount(more: Partial<McpMountOptions> = {}, signIn: () => unknown = () => ada()) {
  const services = {
    rack: {
      registry,
      servers: { name: "server-1" },
      listed: registry,
      settings: { bundles: () => [{ name: "work", required: ["echo"], optional: ["fail"] }, { name: "empty" }] },
      storeWatch: { notice: (error: Error) => events.push(`noticed ${error.message}`) },
    },
    signIn,
    rates: { take: () => undefined },
    requests: { enter: (caller: string) => (events.push(`${caller} enters`), () => events.push("leaves")) },
    note: ({ seconds, ...facts }: { seconds: number }) => noted.push({ ...facts, isTimed: seconds >= 0 && seconds < 60 }),
    server: { metrics: { operations: { record: () => undefined } } },
  } as unknown as RequestServices;
  const callerFor: McpMountOptions["callerFor"] = ({ agent, principal }) => ({ agent, principal, model: "m" });
  return mountMcp({ services, path: "/mcp", tokens: undefined, key: "secret", callerFor, ...more });
}

const request = (path = "/mcp", headers: Record<string, string> = {}): WebRequest =>
  new WebRequest(new Request(`http://localhost:7333${path}`, { method: "POST", headers: { "x-request-id": "mine-1", ...headers } }), {});
const web = new Request("http://localhost:7333/mcp");
const facts = { route: "POST /mcp", origin: { requestId: "mine-1" }, isTimed: true };

describe("a request to the MCP endpoint", () => {
  it("is handed to the endpoint with its caller, counts until it is answered, and is noted then", async () => {
    const credential = keyOf("key 1");
    const reply = (await mount({}, () => ada(credential)).answer(request())) as HandedReply;
    expect(reply.headers).toBe(securityHeaders);
    expect(opened).toMatchObject([{ registry, key: "secret" }]);
    expect(events).toEqual(["key ada enters"]);
    expect(await (await reply.handler.fetch(web)).text()).toBe("ok");
    expect(events).toEqual(["key ada enters", "leaves"]);
    expect(visits).toEqual([
      {
        caller: { agent: "ada", principal: "key ada", model: "m" },
        principal: "key ada",
        onAnswer: expect.any(Function),
        onMessage: expect.any(Function),
        onResult: expect.any(Function),
        trace: { requestId: "mine-1" },
        signal: credential.signal,
        credential: "key 1",
      },
    ]);
    expect(noted).toEqual([]);
    visits[0].onResult(undefined);
    visits[0].onAnswer(202, false);
    expect(noted).toEqual([{ ...facts, status: 202, code: undefined, agent: "ada", principal: "key ada" }]);
  });

  it("is traced: each message as an operation, and all of it with its status and its agent", async () => {
    for (const remoteAddress of ["127.0.0.1", "unix socket"]) {
      const sent = new WebRequest(
        new Request("http://localhost:7333/mcp", { method: "POST", headers: { "x-request-id": "mine-1", "x-one": "1" } }),
        { remoteAddress },
      );
      await ((await mount().answer(sent)) as HandedReply).handler.fetch(web);
      const visitor = visits.at(-1);
      const message = { method: "tools/call" };
      visitor.onMessage(message);
      expect(operations.at(-1)).toEqual({
        message,
        server: "server-1",
        origin: { requestId: "mine-1" },
        header: expect.any(Function),
        isTool: expect.any(Function),
        durations: { record: expect.any(Function) },
        isUnixSocket: remoteAddress === "unix socket",
      });
      const { header, isTool } = operations.at(-1);
      expect([header("x-one"), header("x-two"), isTool("echo"), isTool("other")]).toEqual(["1", undefined, true, false]);
      visitor.onResult("TOOL_FAILED");
      visitor.onAnswer(200, true);
      expect(told.splice(0)).toEqual([
        ["result", "TOOL_FAILED"],
        ["answered", 200, true],
        ["POST /mcp", "ends", 200, "ada"],
      ]);
    }
  });

  it("has no signal without a credential, and no name of one that has none", async () => {
    const unnamed = keyOf(undefined);
    for (const identity of [ada(), ada(unnamed)])
      await ((await mount({}, () => identity).answer(request())) as HandedReply).handler.fetch(web);
    expect(visits[0]).not.toHaveProperty("signal");
    expect(visits[1]).toMatchObject({ signal: unnamed.signal });
    for (const visit of visits) expect(visit).not.toHaveProperty("credential");
  });

  it("over a socket counts until the connection is closed", async () => {
    const { handler } = (await mount().answer(request())) as HandedReply;
    let close: (() => void) | undefined;
    const outgoing = { once: (name: string, listener: () => void) => (events.push(name), (close = listener)) };
    const incoming = {};
    handler.node(incoming as never, outgoing as never);
    expect(visits).toEqual([[incoming, outgoing, expect.objectContaining({ principal: "key ada" })]]);
    expect(events.splice(0)).toEqual(["key ada enters", "close"]);
    close!();
    expect(events).toEqual(["leaves"]);
  });

  it("passes on the trace that it came with", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await ((await mount().answer(request("/mcp", { traceparent }))) as HandedReply).handler.fetch(web);
    expect(visits[0].trace).toMatchObject({ requestId: "mine-1", traceparent });
  });

  it("that is refused is noted with its code, and leads to the issuer of tokens where there is one", async () => {
    const refuse = (): never => {
      throw new Problem(401, "SIGN_IN_REFUSED", "No.");
    };
    const plain = (await mount({}, refuse).answer(request())) as WholeReply;
    expect([plain.status, plain.headers["www-authenticate"]]).toEqual([401, undefined]);
    expect(noted).toEqual([{ ...facts, status: 401, code: "SIGN_IN_REFUSED", agent: undefined, principal: undefined }]);
    expect(events).toEqual(["noticed No."]);
    const tokens = { issuer: "https://issuer.example" } as never;
    const link = (origin: string): string =>
      `Bearer realm="toolrack", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
    for (const [publicOrigin, origin] of [
      [undefined, "http://localhost:7333"],
      ["https://tools.example", "https://tools.example"],
    ] as const) {
      const { headers, body } = (await mount({ tokens, publicOrigin }, refuse).answer(request())) as WholeReply;
      expect(headers["www-authenticate"]).toBe(link(origin));
      expect(JSON.parse(body as string)).toMatchObject({ status: 401, code: "SIGN_IN_REFUSED", detail: "No." });
    }
    const other = (await mount({ tokens }).answer(request("/mcp?bundle=none"))) as WholeReply;
    expect([other.status, other.headers["www-authenticate"]]).toEqual([404, undefined]);
  });

  it("opens one endpoint for each bundle, and another one after it could not be opened", async () => {
    const mounted = mount();
    for (const path of ["/mcp", "/mcp?bundle=work", "/mcp", "/mcp?bundle=work"])
      await ((await mounted.answer(request(path))) as HandedReply).handler.fetch(web);
    expect(opened.map(({ bundle }) => bundle)).toEqual([undefined, "work"]);
    expect(mounted.usage()).toEqual({ sessions: 3, streams: 30 });
    events.length = 0;
    openFault = new Error("no memory");
    expect(await mounted.answer(request("/mcp?bundle=empty"))).toMatchObject({ status: 500 });
    expect(events.splice(0)).toEqual(["key ada enters", "leaves", "noticed no memory"]);
    openFault = undefined;
    expect(await mounted.answer(request("/mcp?bundle=empty"))).toHaveProperty("handler");
    events.length = 0;
    await mounted.close();
    expect(events.toSorted()).toEqual(["closed 1", "closed 2", "closed 3"]);
    expect(mount().usage()).toEqual({ sessions: 0, streams: 0 });
  });

  it("of a bundle calls its tools alone, by whatever name they have", async () => {
    await ((await mount().answer(request("/mcp?bundle=work"))) as HandedReply).handler.fetch(web);
    const { invoke } = opened[0]!["registry"] as Registry;
    expect(await invoke("fail", {})).toEqual({ ok: true, content: "called fail" });
    expect(await invoke("Echo", {})).toEqual({ ok: true, content: "called Echo" });
    expect(await invoke("other", {}, { callId: "c-1" })).toMatchObject({
      ok: false,
      code: "TOOL_NOT_FOUND",
      error: 'The bundle "work" of this connection has no tool "other". List the tools to see what there is.',
      meta: { callId: "c-1", tool: "other", durationMs: 0 },
    });
    expect(await invoke("x".repeat(200), {})).toMatchObject({ error: expect.stringContaining(`no tool "${"x".repeat(128)}".`) });
  });

  it("of a fixed list says what is missing, and takes no bundle", async () => {
    const whenMissing = "Switch it on.";
    const missing = (await mount({ listed: ["echo", "ghost"], whenMissing }).answer(request())) as WholeReply;
    expect([missing.status, JSON.parse(missing.body as string)]).toMatchObject([404, { code: "NOT_FOUND", detail: "Switch it on." }]);
    expect(await mount({ listed: ["echo"], whenMissing }).answer(request("/mcp?bundle=none"))).toHaveProperty("handler");
    expect(opened[0]!["registry"]).not.toBe(registry);
  });

  it("is described for clients where tokens are taken", () => {
    expect(metadataPath("/mcp")).toBe("/.well-known/oauth-protected-resource/mcp");
    const tokens = { issuer: "https://issuer.example" } as never;
    const described = (publicOrigin?: string): unknown => JSON.parse(mount({ tokens, publicOrigin }).describe(request()).body as string);
    const rest = { authorization_servers: ["https://issuer.example"], bearer_methods_supported: ["header"] };
    expect(described()).toEqual({ resource: "http://localhost:7333/mcp", ...rest });
    expect(described("https://tools.example")).toEqual({ resource: "https://tools.example/mcp", ...rest });
    expect(JSON.parse(mount().describe(request()).body as string)).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });
});
