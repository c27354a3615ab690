import { describe, expect, it } from "vitest";
import { createHandler } from "../../../src/http/request/handle.ts";
import type { RequestServices } from "../../../src/http/request/services.ts";
import { Problem } from "../../../src/http/reply/problem.ts";
import type { Route } from "../../../src/http/route.ts";
import { toIdentity } from "../../../src/http/sign-in/identity.ts";
import type { WholeReply } from "../../../src/http/transport/exchange.ts";
import { WebRequest } from "../../../src/http/transport/web.ts";
import type { Abortable } from "../../../src/http/request/abortable.ts";
import { SlotList } from "../../../src/rack/util/slot-list.ts";

const ada = toIdentity({ agent: "ada", roles: [], via: "key", storeOwner: "acme" });

interface Handled {
  readonly reply: WholeReply;
  /** What happened around the work, in order. */
  readonly events: readonly string[];
  readonly noted: Readonly<Record<string, unknown>>;
  /** Requests that still wait for an abort. */
  readonly waiting: number;
  /** What the store is told of a request whose server is gone. */
  readonly settled: unknown;
}

async function handled(route: Partial<Route>, init: RequestInit = {}, path = "/things"): Promise<Handled> {
  const events: string[] = [];
  let noted: Readonly<Record<string, unknown>> = {};
  let settled: unknown;
  const open = new SlotList<Abortable>();
  const services = {
    rack: {
      servers: { name: "server-1" },
      log: { error: () => events.push("logged") },
      storeWatch: { notice: () => events.push("noticed") },
    },
    signIn: () => ada,
    rates: { take: () => undefined },
    requests: { enter: (caller: string) => (events.push(`${caller} enters`), () => events.push("leaves")) },
    heavy: { run: (caller: string, work: () => unknown) => (events.push(`${caller} waits`), work()) },
    answers: {
      async once({ key, caller, make, settle }: { key: string; caller: string; make(): unknown; settle(): Promise<unknown> }) {
        events.push(`${caller} ${key}`);
        settled = await settle();
        return { outcome: "answered", isFirst: true, value: await make() };
      },
    },
    limits: { answerBytes: 1_000, bodyBytes: 1_000, bodyTimeoutMs: 1_000, jsonDepth: 10, jsonValues: 100 },
    open,
    feeds: new SlotList<Abortable>(),
    note: (request: Readonly<Record<string, unknown>>) => (noted = request),
    checkAnswers: false,
  } as unknown as RequestServices;
  const whole = { method: "GET", path: "/things", id: "things", answers: {}, run: () => ({ body: 1 }), ...route } as Route;
  const request = new WebRequest(new Request(`http://localhost${path}`, { method: whole.method, ...init }), {});
  const reply = await createHandler(whole, services)({ request, params: {} });
  return { reply, events, noted, waiting: [...open].length, settled };
}

describe("a request", () => {
  it("is counted while it runs, and noted with who made it and how it ended", async () => {
    const { reply, events, noted } = await handled({});
    expect(reply).toMatchObject({ status: 200, body: "1" });
    expect(events).toEqual(["key ada enters", "leaves"]);
    expect(noted).toMatchObject({ route: "GET /api/v1/things", status: 200, agent: "ada", principal: "key ada", code: undefined });
    expect(noted["seconds"]).toBeGreaterThanOrEqual(0);
    expect((await handled({ atRoot: true })).noted["route"]).toBe("GET /things");
    expect((await handled({ isHeavy: true })).events).toEqual(["key ada enters", "key ada waits", "leaves"]);
  });

  it("that fails as expected is answered with its problem, and one that fails otherwise is logged, too", async () => {
    const listening = (error: Error): Partial<Route> => ({
      run(request) {
        request.onGone(() => undefined);
        throw error;
      },
    });
    const expected = await handled(listening(new Problem(409, "STATE_INVALID", "No.")));
    expect([expected.reply.status, expected.noted["code"], expected.waiting]).toEqual([409, "STATE_INVALID", 0]);
    expect(expected.events).toEqual(["key ada enters", "noticed", "leaves"]);
    const unexpected = await handled(listening(new Error("broken")));
    expect([unexpected.reply.status, unexpected.noted["code"], unexpected.waiting]).toEqual([500, "INTERNAL", 0]);
    expect(unexpected.events).toEqual(["key ada enters", "noticed", "logged", "leaves"]);
    expect((await handled(listening(new Problem(500, "INTERNAL", "Known.")))).events).not.toContain("logged");
  });

  it("has the query that its route takes, and no other", async () => {
    const query = { type: "object", properties: { limit: { type: "integer", default: 5 } }, additionalProperties: false } as const;
    const route: Partial<Route> = { query, run: (request) => ({ body: request.query }) };
    expect((await handled(route)).reply.body).toBe('{"limit":5}');
    expect((await handled(route, {}, "/things?limit=7")).reply.body).toBe('{"limit":7}');
    expect((await handled(route, {}, "/things?other=7")).reply.status).toBe(400);
    expect((await handled({ run: (request) => ({ body: request.query }) }, {}, "/things?x=1")).reply.status).toBe(400);
  });
});

describe("a request with an Idempotency-Key", () => {
  const init = { headers: { "idempotency-key": "k1" } };

  it.each([
    ["POST", "unknown"],
    ["PATCH", "unknown"],
    ["PUT", "again"],
    ["DELETE", "again"],
  ] as const)("by %s whose server is gone is %s", async (method, outcome) => {
    const { settled, events, reply } = await handled({ method }, init);
    expect([settled, reply.status]).toEqual([outcome, 200]);
    expect(events).toEqual(["key ada enters", 'key ada ["key ada things","k1"]', "leaves"]);
  });

  it("is an ordinary one where it reads, or where the route sees to the key itself", async () => {
    for (const route of [{ method: "GET" }, { method: "POST", keepsIdempotency: true }] as const)
      expect((await handled(route, init)).events).toEqual(["key ada enters", "leaves"]);
  });
});
