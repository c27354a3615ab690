import { beforeEach, describe, expect, it, vi } from "vitest";
import { createHandler } from "../../../src/http/request/handle.ts";
import type { RequestServices } from "../../../src/http/request/services.ts";
import type { Route } from "../../../src/http/route.ts";
import { toIdentity } from "../../../src/http/sign-in/identity.ts";
import type { WholeReply } from "../../../src/http/transport/exchange.ts";
import { WebRequest } from "../../../src/http/transport/web.ts";
import { SlotList } from "../../../src/rack/util/slot-list.ts";

const spans: unknown[] = [];
let isTraced = true;

vi.mock(import("../../../src/telemetry/trace/request-span.ts"), () => ({
  openRequestSpan: (_server, route, cameIn) => {
    spans.push(["opens", route, cameIn]);
    return {
      traceContext: isTraced ? { traceparent: "00-own" } : undefined,
      run: (work) => (spans.push(["runs"]), work()),
      end: (...given) => void spans.push(["ends", ...given]),
    };
  },
}));

beforeEach(() => {
  spans.length = 0;
  isTraced = true;
});

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

async function handle(route: Partial<Route>, headers: Record<string, string> = {}) {
  const noted: Record<string, unknown>[] = [];
  const services = {
    rack: { servers: { name: "server-1" }, log: { error: () => undefined }, storeWatch: { notice: () => undefined } },
    signIn: () => toIdentity({ agent: "ada", roles: [], via: "key", storeOwner: "acme" }),
    rates: { take: () => undefined },
    requests: { enter: () => () => undefined },
    answers: { once: async ({ make }: { make(): unknown }) => ({ outcome: "answered", isFirst: true, value: await make() }) },
    streams: { enter: () => () => undefined },
    limits: { answerBytes: 1_000 },
    open: new SlotList(),
    feeds: new SlotList(),
    note: (facts: Record<string, unknown>) => noted.push(facts),
    checkAnswers: false,
  } as unknown as RequestServices;
  const whole = { method: "GET", path: "/things", id: "things", answers: {}, run: ({ trace }) => ({ body: trace }), ...route } as Route;
  const init = { method: whole.method, headers: { "x-request-id": "mine-1", ...headers } };
  const reply: WholeReply = await createHandler(
    whole,
    services,
  )({
    request: new WebRequest(new Request("http://localhost/things", init), {}),
    params: {},
  });
  return { reply, noted: noted[0]! };
}

describe("the span of a request", () => {
  it("continues the trace that came in, runs the work, and ends with its status and its agent", async () => {
    const { reply, noted } = await handle({}, { traceparent, tracestate: "a=1" });
    expect(spans).toEqual([
      ["opens", "GET /api/v1/things", expect.objectContaining({ traceparent, tracestate: "a=1" })],
      ["runs"],
      ["ends", 200, "ada"],
    ]);
    expect(reply.headers["traceparent"]).toBe("00-own");
    const origin = { requestId: "mine-1", traceparent: "00-own" };
    expect(JSON.parse(reply.body as string)).toEqual(origin);
    expect(noted).toEqual({
      route: "GET /api/v1/things",
      status: 200,
      seconds: expect.any(Number),
      origin,
      code: undefined,
      agent: "ada",
      principal: "key ada",
    });
    expect(noted["seconds"]).toBeLessThan(10);
  });

  it("is not told of where there is none", async () => {
    isTraced = false;
    const { reply, noted } = await handle({});
    expect(reply.headers).not.toHaveProperty("traceparent");
    expect([JSON.parse(reply.body as string), noted["origin"]]).toEqual([{ requestId: "mine-1" }, { requestId: "mine-1" }]);
  });

  it("runs the work of a request with an Idempotency-Key, too, and ends with the status of a failure", async () => {
    await handle({ method: "POST" }, { "idempotency-key": "k1" });
    expect(spans.slice(1)).toEqual([["runs"], ["ends", 200, "ada"]]);
    spans.length = 0;
    await handle({
      run: () => {
        throw new Error("broken");
      },
    });
    expect(spans.slice(1)).toEqual([["runs"], ["ends", 500, "ada"]]);
  });

  it("is told of in the head of a stream", async () => {
    async function* events() {
      yield { event: "a", data: 1 };
    }
    const { reply } = await handle({ run: () => ({ events: events() }) });
    expect(reply.headers).toMatchObject({ "content-type": "text/event-stream", traceparent: "00-own" });
    isTraced = false;
    expect((await handle({ run: () => ({ events: events() }) })).reply.headers).not.toHaveProperty("traceparent");
  });
});
