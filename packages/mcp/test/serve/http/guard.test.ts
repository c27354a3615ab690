import { createRegistry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { serveMcp } from "../../../src/serve/serve.ts";
import type { ServeMcpOptions } from "../../../src/serve/serve-options.ts";

/** The status of a request with these headers, before anything but headers was looked at. */
async function statusOf(options: ServeMcpOptions, headers: Record<string, string>, method = "POST"): Promise<number> {
  const endpoint = serveMcp(createRegistry(), options);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const request = new Request("http://localhost/mcp", {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(method === "POST" && { body }),
  });
  const { status } = await endpoint.fetch(request);
  await endpoint.close();
  return status;
}

describe("S14: the guard of the endpoint", () => {
  it.each(["app.example.com", "file:///a", "null", "data:text/plain,a"])("is not made with the origin %j", (origin) => {
    const make = (): unknown => serveMcp(createRegistry(), { allowedOrigins: ["https://fine.example.com", origin] });
    expect(make).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: expect.stringContaining(`allowedOrigins: "${origin}" is not an origin such as "https://app.example.com".`),
      }),
    );
  });

  it("lets a host in that was named with its port, and with no other port", async () => {
    const options = { allowedHosts: ["Tools.example.com:8443"] };
    expect(await statusOf(options, { host: "tools.example.com:8443" })).toBe(200);
    expect(await statusOf(options, { host: "tools.example.com:9000" })).toBe(403);
  });

  it.each(["localhost:80:80", "user@localhost", "localhost:80/", "127.0.0.1:80@evil.example", "localhost.evil.example", ""])(
    "refuses the host %j",
    async (host) => expect(await statusOf({}, { host })).toBe(403),
  );

  it("refuses what a page of another site loads without saying its origin", async () => {
    const crossSite = { host: "localhost", accept: "text/event-stream", "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" };
    expect(await statusOf({}, crossSite, "GET")).toBe(403);
    expect(await statusOf({}, { ...crossSite, "sec-fetch-site": "same-origin" }, "GET")).not.toBe(403);
    expect(await statusOf({ allowedOrigins: "any" }, crossSite, "GET")).not.toBe(403);
  });

  it("lets pages of this machine in, on whichever port, until origins are named", async () => {
    expect(await statusOf({}, { host: "localhost:1", origin: "http://127.0.0.1:6274" })).toBe(200);
    for (const origin of ["http://evil.example", "http://localhost.evil.example", "http://localhost@evil.example", "app://localhost"])
      expect([origin, await statusOf({}, { host: "localhost", origin })]).toEqual([origin, 403]);
    expect(await statusOf({ allowedOrigins: ["https://app.example.com:443"] }, { host: "localhost", origin: "http://localhost" })).toBe(
      403,
    );
    expect(
      await statusOf({ allowedOrigins: ["https://app.example.com:443"] }, { host: "localhost", origin: "https://app.example.com" }),
    ).toBe(200);
  });
});
