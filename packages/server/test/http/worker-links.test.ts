import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { answerWorkerLink, workerLinkPath } from "../../src/http/worker-links.ts";
import { securityHeaders } from "../../src/http/reply/respond.ts";
import type { RequestServices } from "../../src/http/request/services.ts";
import { Credential } from "../../src/http/sign-in/credential.ts";
import { toIdentity } from "../../src/http/sign-in/identity.ts";
import type { HandedReply, WholeReply } from "../../src/http/transport/exchange.ts";
import { WebRequest } from "../../src/http/transport/web.ts";
import type { WorkerHub } from "../../src/rack/workers/worker-hub.ts";

const credential = new Credential({ id: "key 1", clock: { now: () => 0, after: () => () => undefined } });
const known = toIdentity({ agent: "gpu-1", roles: [], via: "key", storeOwner: "acme", credential });
const anonymous = toIdentity({ agent: "anonymous", principal: "anonymous", roles: [], via: "nothing", storeOwner: "acme" });

interface Asked {
  readonly identity?: typeof known | Error;
  readonly isUsed?: boolean;
  readonly upgrade?: string;
  readonly fault?: string;
}

async function ask({ identity = known, isUsed = true, upgrade = "WebSocket", fault }: Asked) {
  const noted: Record<string, unknown>[] = [];
  const taken: unknown[] = [];
  const services = {
    signIn() {
      if (identity instanceof Error) throw identity;
      return identity;
    },
    rates: { take: () => undefined },
    note: ({ seconds, ...facts }: { seconds: number }) => noted.push({ ...facts, isTimed: seconds >= 0 && seconds < 60 }),
  } as unknown as RequestServices;
  const hub = {
    faultOf: (...given: unknown[]) => (taken.push(["asked", ...given.slice(1)]), fault),
    take: (...given: unknown[]) => taken.push(given),
  };
  const links = { isUsed: () => isUsed, hub: () => hub } as unknown as WorkerHub;
  const init = { headers: { "x-request-id": "mine-1", ...(upgrade !== "" && { upgrade }) } };
  const reply = await answerWorkerLink(links, services)(new WebRequest(new Request(`http://localhost${workerLinkPath}`, init), {}));
  return { reply, noted, taken };
}

const facts = { route: "GET /api/v1/workers/link", origin: { requestId: "mine-1" }, isTimed: true };

describe("a worker that connects by WebSocket", () => {
  it.each<[Asked, number, string]>([
    [{ identity: anonymous }, 401, "SIGN_IN_REQUIRED"],
    [{ isUsed: false }, 404, "NOT_FOUND"],
    [{ upgrade: "" }, 426, "UPGRADE_REQUIRED"],
    [{ upgrade: "h2c" }, 426, "UPGRADE_REQUIRED"],
    [{ identity: new Error("broken") }, 500, "INTERNAL"],
  ])("is refused: %j", async (asked, status, code) => {
    const { reply, noted, taken } = await ask(asked);
    const { status: answered, headers, body } = reply as WholeReply;
    expect([answered, JSON.parse(body as string)]).toMatchObject([status, { code }]);
    expect(noted).toEqual([{ ...facts, status, code, agent: undefined, principal: undefined }]);
    expect(taken).toEqual([]);
    if (status === 426) expect(headers).toMatchObject({ upgrade: "websocket", connection: "upgrade" });
  });

  it("is handed its connection, which no longer belongs to the answer, and ends with its credential", async () => {
    const { reply, noted, taken } = await ask({});
    const { handler, headers } = reply as HandedReply;
    expect(headers).toBe(securityHeaders);
    expect((await handler.fetch(new Request("http://localhost/"))).status).toBe(501);
    const done: unknown[] = [];
    const socket = { setTimeout: (ms: number) => done.push(["timeout", ms]), setNoDelay: (is: boolean) => done.push(["no delay", is]) };
    const incoming = { socket };
    const outgoing = Object.assign(new EventEmitter(), { detachSocket: (one: unknown) => done.push(["detached", one]) });
    outgoing.on("close", () => done.push("closed"));
    handler.node(incoming as never, outgoing as never);
    expect(done).toEqual([["detached", socket], "closed", ["timeout", 0], ["no delay", true]]);
    expect(taken).toEqual([
      ["asked", "key gpu-1"],
      [incoming, socket, { by: "key gpu-1", signal: credential.signal }],
    ]);
    expect(noted).toEqual([{ ...facts, status: 101, code: undefined, agent: "gpu-1", principal: "key gpu-1" }]);
  });

  it("is told what is wrong with its request", async () => {
    const { reply, noted, taken } = await ask({ fault: "It has no protocol." });
    const written: unknown[] = [];
    const outgoing = {
      writeHead: (...head: unknown[]) => (written.push(head), { end: (body: string) => written.push(JSON.parse(body)) }),
    };
    (reply as HandedReply).handler.node({} as never, outgoing as never);
    expect(written).toMatchObject([
      [400, { "content-type": "application/problem+json" }],
      { status: 400, code: "REQUEST_INVALID", detail: "It has no protocol." },
    ]);
    expect(noted).toMatchObject([{ status: 400, code: "REQUEST_INVALID", agent: "gpu-1" }]);
    expect(taken).toHaveLength(1);
  });
});
