import { createFakeClock } from "@toolrack/core/testing";
import { createMemoryStore } from "@toolrack/store";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { nothing, openWhole, type Whole } from "./_automation.ts";
import { oddMembers, startReceiver } from "./_receiver.ts";

const start = Date.parse("2026-01-01T00:00:00Z");

async function open(allowHosts: readonly string[], more: object = {}): Promise<Whole> {
  const clock = createFakeClock(start);
  const whole = await openWhole(createMemoryStore({ clock }), clock, { allowHosts, ...more });
  whole.automation.begin();
  return whole;
}

async function add(whole: Whole, url: string, on: object = { schema_name: "news.v1" }): Promise<string> {
  return (await whole.automation.endpoints.add("desk", { url, on }, "owner")).secret;
}

const news = (whole: Whole, title: string, more: object = {}) =>
  whole.store.put({ schema_name: "news.v1", title, context: { title }, ...more });
const deliveries = (whole: Whole) => whole.automation.endpoints.deliveries("desk", {});

/** Lets time pass until the condition holds, whatever the queue does in between. */
async function untilPassed(whole: Whole, holds: () => unknown): Promise<void> {
  await until(async () => {
    if (await holds()) return true;
    await whole.clock.advance(1_000);
    return false;
  });
}

describe("webhooks that are sent", () => {
  // row: H14
  it("carry each event that was chosen, signed, once, and nothing else", async () => {
    const receiver = await startReceiver();
    const whole = await open([receiver.host]);
    receiver.secrets.push(await add(whole, receiver.url));
    await news(whole, "First");
    await whole.store.put({ schema_name: "other.v1", title: "Other", context: {} });
    await news(whole, "Second");
    await untilPassed(whole, () => receiver.effects.size === 2);
    expect(receiver.requests.map(({ message }) => message)).toEqual(
      ["First", "Second"].map((title) => ({
        type: "record-created",
        timestamp: expect.stringMatching(/^2026-/),
        data: { sequence: expect.any(Number), record: expect.objectContaining({ title, context: { title } }) },
      })),
    );
    expect(receiver.requests[0]!.headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^toolrack\//),
    });
    expect(oddMembers(receiver.requests)).toEqual([]);
    await untilPassed(whole, async () => (await deliveries(whole)).every(({ state }) => state === "done"));
    expect(await whole.automation.endpoints.get("desk")).toMatchObject({ health: { state: "healthy", delivered: 2, waiting: 0, dead: 0 } });
  });

  it("carry results for the user, once each, only where that type is named", async () => {
    const receiver = await startReceiver();
    const whole = await open([receiver.host]);
    receiver.secrets.push(await add(whole, receiver.url, { types: ["result-for-user"], agent: "anna" }));
    const others = await startReceiver();
    const all = await open([others.host]);
    others.secrets.push(await add(all, others.url, { agent: "anna" }));
    for (const { registry } of [whole, all]) {
      await registry.invoke("echo", { text: "for the model" }, { caller: { agent: "anna" } });
      const forUser = { caller: { agent: "anna", session: "s1" }, deliver: "user" } as const;
      expect(await registry.invoke("echo", { text: "for the user" }, forUser)).toMatchObject({ content: "Shown to the user." });
    }
    await untilPassed(whole, () => receiver.effects.size === 1);
    expect(receiver.requests.map(({ message }) => message)).toEqual([
      {
        type: "result-for-user",
        timestamp: expect.stringMatching(/^2026-/),
        data: expect.objectContaining({ tool: "echo", for: { agent: "anna", session: "s1" } }),
      },
    ]);
    expect(JSON.stringify(receiver.requests[0]!.message)).toContain("for the user");
    await untilPassed(all, () => others.effects.size === 2);
    expect(oddMembers([...receiver.requests, ...others.requests])).toEqual([]);
    expect(JSON.stringify(others.requests.map(({ message }) => message))).not.toMatch(/result-for-user|for the user/);
  });

  // row: H14
  it("are tried again after a failure, and the receiver does the work once by its id", async () => {
    const receiver = await startReceiver((count) => (count <= 2 ? 500 : 204));
    const whole = await open([receiver.host]);
    receiver.secrets.push(await add(whole, receiver.url));
    await news(whole, "Flaky");
    await untilPassed(whole, () => receiver.requests.length === 1);
    await untilPassed(whole, async () => (await deliveries(whole))[0]?.state === "waiting");
    expect((await deliveries(whole))[0]).toMatchObject({ attempt: 1, error: "The receiver answered 500." });
    expect(await whole.automation.endpoints.get("desk")).toMatchObject({ health: { state: "failing", waiting: 1 } });
    await untilPassed(whole, () => receiver.effects.size === 1);
    expect(receiver.requests).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(1);
    expect([...receiver.effects]).toEqual([receiver.requests[0]!.id]);
  });

  // row: H14
  it("are dead letters after seven attempts over the stated hours, and can be replayed with the same id", async () => {
    let isUp = false;
    const receiver = await startReceiver(() => (isUp ? 200 : 503));
    const whole = await open([receiver.host]);
    receiver.secrets.push(await add(whole, receiver.url));
    await news(whole, "Down");
    for (const [index, delayMs] of [5, 300, 1_800, 7_200, 18_000, 36_000].map((seconds) => seconds * 1_000).entries()) {
      await untilPassed(whole, async () => {
        const [one] = await deliveries(whole);
        return one?.attempt === index + 1 && one.state === "waiting";
      });
      const [waiting] = await deliveries(whole);
      const leftMs = waiting!.dueAt - whole.clock.now();
      expect(leftMs).toBeGreaterThan(delayMs - 5_000);
      expect(leftMs).toBeLessThanOrEqual(delayMs * 1.2);
      await whole.queue.retry(waiting!.id);
    }
    await untilPassed(whole, async () => (await deliveries(whole))[0]!.state === "dead");
    const [dead] = await deliveries(whole);
    expect(dead).toMatchObject({ attempt: 7, error: "The receiver answered 503." });
    expect(await whole.automation.endpoints.get("desk")).toMatchObject({ state: "active", health: { state: "failing", dead: 1 } });
    isUp = true;
    await whole.automation.endpoints.replay("desk", dead!.id, "owner");
    await untilPassed(whole, () => receiver.effects.size === 1);
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(1);
    expect(await whole.automation.endpoints.replay("other", dead!.id, "owner")).toBeUndefined();
  });

  it("end for good when the receiver answers 410, until somebody resumes it", async () => {
    const receiver = await startReceiver((count) => (count === 1 ? 410 : 204));
    const whole = await open([receiver.host]);
    await add(whole, receiver.url);
    await news(whole, "Gone");
    await untilPassed(whole, async () => (await whole.automation.endpoints.get("desk"))!.state === "disabled");
    await news(whole, "Nobody listens");
    expect((await deliveries(whole))[0]).toMatchObject({ state: "dead", error: expect.stringMatching(/410/) });
    expect(await whole.automation.endpoints.get("desk")).toMatchObject({ pausedBy: "server" });
    expect(await whole.automation.endpoints.resume("desk", "owner")).not.toHaveProperty("pausedBy");
    await news(whole, "Back");
    await untilPassed(whole, () => receiver.effects.size === 1);
    expect(receiver.requests.at(-1)!.message.data).toMatchObject({ record: { title: "Back" } });
    const paused = await whole.automation.endpoints.pause("desk", "owner");
    expect(paused).toMatchObject({ state: "paused", reason: "Paused by owner.", pausedBy: "caller" });
    expect(whole.actions.map(({ kind }) => kind)).toEqual(["webhook-added", "webhook-disabled", "webhook-resumed", "webhook-paused"]);
  });

  it("are signed with the old and the new secret while they overlap, and with the new one alone afterwards", async () => {
    const receiver = await startReceiver();
    const whole = await open([receiver.host]);
    const old = await add(whole, receiver.url);
    const rotated = await whole.automation.endpoints.rotate("desk", 60_000, "owner");
    receiver.secrets.push(old);
    await news(whole, "Old secret still counts");
    await untilPassed(whole, () => receiver.effects.size === 1);
    receiver.secrets.splice(0, 1, rotated!.secret);
    await news(whole, "So does the new one");
    await untilPassed(whole, () => receiver.effects.size === 2);
    await whole.clock.advance(60_000);
    receiver.secrets.splice(0, 1, old);
    await news(whole, "The old one is over");
    await untilPassed(whole, () => receiver.requests.length === 3);
    expect(receiver.effects.size).toBe(2);
    expect(receiver.requests[2]!.headers["webhook-signature"]).not.toContain(" ");
    const known = JSON.stringify([await whole.automation.endpoints.list(), await deliveries(whole), whole.actions]);
    for (const secret of [old, rotated!.secret]) expect(known).not.toContain(secret);
  });

  it("tell that a call waits for approval, without its arguments, and that a secret is missing", async () => {
    const receiver = await startReceiver();
    const whole = await open([receiver.host]);
    await add(whole, receiver.url, { types: ["approval-waiting", "configuration-missing"] });
    const { inner } = { inner: whole.store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] }) };
    const asked = {
      state: "waiting",
      tool: "pay",
      message: "Pay?",
      input: { card: "4111" },
      caller: { agent: "anna" },
      askedAt: 1,
      expiresAt: 2,
    };
    await inner.put({
      id: "approval-x",
      schema_name: "toolrack.approval.v1",
      title: "May anna call pay?",
      context: asked,
      sensitivity: "pii",
    });
    await whole.store.put({
      id: "config-request-secret-mail",
      schema_name: "tool.config.request.v1",
      title: "The secret mail is not set",
      context: { secret: "mail", tools: ["send"], state: "open" },
    });
    await untilPassed(whole, () => receiver.effects.size === 2);
    const told = receiver.requests.map(({ message }) => message).toSorted((a, b) => (a.type < b.type ? -1 : 1));
    expect(told).toMatchObject([
      { type: "approval-waiting", data: { approval: "approval-x", tool: "pay", agent: "anna" } },
      { type: "configuration-missing", data: { secret: "mail", tools: ["send"] } },
    ]);
    expect(JSON.stringify(told)).not.toContain("4111");
    expect(oddMembers(receiver.requests)).toEqual([]);
  });

  it("leave out the content of records that are private or secret", async () => {
    const receiver = await startReceiver();
    const whole = await open([receiver.host]);
    await add(whole, receiver.url);
    await news(whole, "Personal", { sensitivity: "pii" });
    await untilPassed(whole, () => receiver.effects.size === 1);
    const { record } = receiver.requests[0]!.message.data as { readonly record: Record<string, unknown> };
    expect(record).toMatchObject({ title: "Personal", isContextLeftOut: true });
    expect(record).not.toHaveProperty("context");
  });

  it("go on after a server ended: what happened meanwhile is sent by the next one, once", async () => {
    const receiver = await startReceiver();
    const clock = createFakeClock(start);
    const store = createMemoryStore({ clock });
    const first = await openWhole(store, clock, { allowHosts: [receiver.host] });
    first.automation.begin();
    await add(first, receiver.url);
    await news(first, "Before");
    await untilPassed(first, () => receiver.effects.size === 1);
    const seen = await store.sequence();
    await first.close();
    const inner = store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] });
    expect((await inner.get("event-position-records"))!.context).toEqual({ number: seen });
    await store.put({ schema_name: "news.v1", title: "Between", context: {} });
    const second = await openWhole(store, clock, { allowHosts: [receiver.host] });
    second.automation.begin();
    await untilPassed(second, () => receiver.effects.size === 2);
    expect(receiver.requests.map(({ message }) => (message.data["record"] as { readonly title: string }).title)).toEqual([
      "Before",
      "Between",
    ]);
  });
});

describe("AH20: a webhook cannot be turned inward", () => {
  it.each([
    ["a private address", "https://10.0.0.7/x"],
    ["loopback", "https://127.0.0.1:7333/api/v1/keys"],
    ["loopback in another notation", "https://2130706433/"],
    ["the metadata service of a cloud", "https://169.254.169.254/latest"],
    ["an address of IPv6 that holds a private one", "https://[::ffff:10.0.0.7]/"],
    ["a name that leads to a private address", "https://inside.example.com/"],
    ["a user in the URL", "https://anna:secret@example.com/"],
    ["a file", "file:///etc/passwd"],
    ["a URL without TLS", "http://example.com/"],
  ])("refuses %s when it is saved", async (_, url) => {
    const resolve = async (host: string) => [{ address: host.startsWith("inside") ? "10.0.0.7" : "93.184.215.14", family: 4 }];
    const whole = await open([], { resolve });
    await expect(add(whole, url)).rejects.toThrow(/The webhook "desk" is wrong/);
    expect(await whole.automation.endpoints.list()).toEqual([]);
  });

  it("refuses at delivery a name that leads inward by then", async () => {
    let address = "93.184.215.14";
    const whole = await open([], { resolve: async () => [{ address, family: 4 }] });
    await add(whole, "https://hooks.example.com/");
    address = "127.0.0.1";
    await news(whole, "Rebound");
    await untilPassed(whole, async () => (await deliveries(whole))[0]?.error !== undefined);
    expect((await deliveries(whole))[0]!.error).toMatch(/not an address of the public internet/);
  });

  it("refuses the server itself, when it is saved and at delivery, also where its host is allowed", async () => {
    const own = await startReceiver();
    let ownPort = 443;
    const resolve = async () => [{ address: "93.184.215.14", family: 4 }];
    const whole = await open(["127.0.0.1"], { resolve, isOwnAddress: (_: string, port: number) => port === ownPort });
    await expect(add(whole, "https://hooks.example.com/")).rejects.toThrow(/The webhook "desk" is wrong: .*hooks\.example\.com/);
    await add(whole, own.url);
    ownPort = Number(new URL(own.url).port);
    await news(whole, "Turned");
    await untilPassed(whole, async () => (await deliveries(whole))[0]?.error !== undefined);
    expect((await deliveries(whole))[0]!.error).toMatch(/leads to this server/);
    expect(own.requests).toEqual([]);
    await whole.automation.endpoints.remove("desk", "owner");
    await expect(add(whole, own.url)).rejects.toThrow(/The webhook "desk" is wrong: .*leads to this server.*hooks\.allowHosts/);
  });

  it("does not follow a redirect inward", async () => {
    const inside = await startReceiver();
    const receiver = await startReceiver((_, response) => {
      response.writeHead(307, { location: inside.url }).end();
      return undefined;
    });
    const whole = await open([receiver.host]);
    await add(whole, receiver.url);
    await news(whole, "Redirected");
    await untilPassed(whole, async () => (await deliveries(whole))[0]?.error !== undefined);
    expect((await deliveries(whole))[0]!.error).toMatch(/307, a redirect/);
    expect(inside.requests).toEqual([]);
  });

  it("gives up on a receiver that answers a byte at a time", async () => {
    const receiver = await startReceiver((_, response) => {
      response.on("error", nothing).writeHead(200);
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
      return undefined;
    });
    const whole = await open([receiver.host], { timeoutMs: 300 });
    await add(whole, receiver.url);
    await news(whole, "Slow");
    await untilPassed(whole, async () => (await deliveries(whole))[0]?.error !== undefined);
    expect((await deliveries(whole))[0]!.error).toMatch(/within 300 ms/);
  });

  it("reads at most a small part of an answer of 50 MB", async () => {
    let sent = 0;
    const receiver = await startReceiver((_, response) => {
      const part = Buffer.alloc(65_536);
      response.on("error", nothing).writeHead(200);
      const more = (): void => {
        while (sent < 50_000_000 && !response.destroyed) {
          sent += part.length;
          if (!response.write(part)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
      return undefined;
    });
    const whole = await open([receiver.host]);
    await add(whole, receiver.url);
    await news(whole, "Flood");
    await untilPassed(whole, async () => (await deliveries(whole))[0]?.error !== undefined);
    expect((await deliveries(whole))[0]!.error).toMatch(/more than 65536 bytes/);
    expect(sent).toBeLessThan(20_000_000);
  });
});
