import { describe, expect, it } from "vitest";
import type { Abortable } from "../../../src/http/request/abortable.ts";
import { OpenRequest } from "../../../src/http/request/open-request.ts";
import type { RequestServices } from "../../../src/http/request/services.ts";
import type { Route } from "../../../src/http/route.ts";
import { Credential } from "../../../src/http/sign-in/credential.ts";
import { toIdentity } from "../../../src/http/sign-in/identity.ts";
import { WebRequest } from "../../../src/http/transport/web.ts";
import { SlotList } from "../../../src/rack/util/slot-list.ts";

const clock = { now: () => 0, after: () => () => undefined };

function open(route: Partial<Route> = {}, init: RequestInit = {}, publicOrigin?: string) {
  const [requests, feeds] = [new SlotList<Abortable>(), new SlotList<Abortable>()];
  const credential = new Credential({ id: "key 1", clock });
  const client = new AbortController();
  const request = new WebRequest(new Request("http://localhost:7333/a", { signal: client.signal, ...init }), {});
  const services = {
    rack: { name: "rack" },
    server: { name: "server" },
    open: requests,
    feeds,
    publicOrigin,
  } as unknown as RequestServices;
  const identity = toIdentity({ agent: "ada", roles: [], via: "key", storeOwner: "acme", credential });
  const whole = { method: "GET", ...route } as Route;
  const opened = new OpenRequest({ request, params: {} }, whole, services, identity, { params: 1, query: 2, body: 3 }, "trace");
  return { opened, credential, client, counts: () => [requests.size, feeds.size] };
}

describe("a request that is being worked on", () => {
  it("has all that its route needs of it", () => {
    const { opened } = open({}, { method: "PUT", headers: { "x-one": "1" } });
    expect(opened).toMatchObject({
      params: 1,
      query: 2,
      body: 3,
      trace: "trace",
      method: "PUT",
      origin: "http://localhost:7333",
      rack: { name: "rack" },
      server: { name: "server" },
      wantsEvents: false,
      signInEnd: undefined,
    });
    expect(opened.identity.agent).toBe("ada");
    expect([opened.header("x-one"), opened.header("x-two")]).toEqual(["1", undefined]);
    expect(open({}, {}, "https://tools.example").opened.origin).toBe("https://tools.example");
    expect(open({}, { headers: { accept: "text/html, text/event-stream" } }).opened.wantsEvents).toBe(true);
    expect(open({}, { headers: { accept: "text/html" } }).opened.wantsEvents).toBe(false);
  });

  it("is in no list before somebody listens, then in that of its kind, and in none once it is answered", () => {
    for (const [route, expected] of [
      [{ method: "GET" }, [1, 0]],
      [{ method: "GET", streams: true }, [0, 1]],
      [{ method: "POST", streams: true }, [1, 0]],
    ] as const) {
      const { opened, counts } = open(route);
      expect(counts()).toEqual([0, 0]);
      opened.onGone(() => undefined);
      opened.onGone(() => undefined);
      expect(counts()).toEqual(expected);
      opened.end();
      opened.end();
      expect(counts()).toEqual([0, 0]);
    }
  });

  it("tells everybody who listens once that its client left", () => {
    const { opened, client, counts } = open();
    const told: string[] = [];
    opened.onGone(({ message }) => told.push(`first: ${message}`));
    opened.onGone(({ message }) => told.push(`second: ${message}`));
    expect(opened.signal).toBe(opened.signal);
    client.abort();
    opened.abort(new Error("again"));
    expect(told).toEqual(["first: The client went away.", "second: The client went away."]);
    expect([opened.signal.aborted, (opened.signal.reason as Error).name]).toEqual([true, "AbortError"]);
    expect([counts(), opened.signInEnd]).toEqual([[0, 0], undefined]);
  });

  it("knows that it ended because its credential did, and tells nobody after it was answered", () => {
    const { opened, credential } = open();
    const told: Error[] = [];
    opened.onGone((reason) => told.push(reason));
    credential.end("It was revoked.");
    expect(told).toEqual([credential.reason]);
    expect(opened.signInEnd).toBe(credential.reason);
    const answered = open();
    answered.opened.onGone((reason) => told.push(reason));
    answered.opened.end();
    answered.credential.end("It was revoked.");
    answered.client.abort();
    expect(told).toHaveLength(1);
    expect(answered.opened.signInEnd).toBeUndefined();
  });
});
