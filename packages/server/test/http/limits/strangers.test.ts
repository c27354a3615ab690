import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { createConcurrencyLimit } from "../../../src/http/limits/concurrency.ts";
import { isStranger, strangerAt } from "../../../src/http/limits/strangers.ts";

describe("a caller without sign-in", () => {
  it.each([
    ["203.0.113.7", "address 203.0.113.7"],
    ["::ffff:203.0.113.7", "address 203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "address 2001:db8:1:2"],
    ["2001:DB8:1:2::6", "address 2001:db8:1:2"],
    ["2001:db8::6", "address 2001:db8:0:0"],
    ["::1", "address 0:0:0:0"],
    ["fe80::1%eth0", "address fe80:0:0:0"],
    [undefined, "address unknown"],
  ])("is known by its network: %s", (address, caller) => {
    expect(strangerAt(address)).toBe(caller);
    expect(isStranger(caller)).toBe(true);
    expect(isStranger("key anna")).toBe(false);
  });

  it("TD11: leaves places to those who signed in, from however many addresses it comes", () => {
    const limit = createConcurrencyLimit({ perCaller: 2, total: 8, code: "TOO_MANY_REQUESTS", what: "requests under way" });
    const leave = limit.enter(strangerAt("203.0.113.1"));
    limit.enter(strangerAt("203.0.113.2"));
    expect(() => limit.enter(strangerAt("203.0.113.3"))).toThrow(expect.objectContaining({ status: 429 }));
    for (const caller of ["key anna", "key ben", "key cara"]) {
      limit.enter(caller);
      limit.enter(caller);
    }
    expect(limit.taken).toBe(8);
    leave();
    limit.enter(strangerAt("203.0.113.3"));
  });

  it("TD11: keeps nobody from probing the server, and no other address from its hooks", async () => {
    await using server = await openTestServer({ limits: { requestsPerCaller: 1, bodyTimeoutMs: 600_000 } });
    let end = (): void => undefined;
    const slow = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("{"));
        end = () => controller.close();
      },
    });
    const hook = (from: string, body: unknown): Promise<Response> => server.request("POST", "/hooks/news", { key: "", from, body });
    const held = hook("203.0.113.9", slow);
    await expect.poll(async () => (await hook("203.0.113.9", "{}")).status).toBe(429);
    expect((await hook("203.0.113.10", "{}")).status).toBe(401);
    for (const path of ["/health", "/health/live", "/ready"])
      expect((await server.request("GET", path, { key: "", from: "203.0.113.9" })).status, path).toBe(200);
    end();
    expect((await held).status).toBe(401);
  });
});
