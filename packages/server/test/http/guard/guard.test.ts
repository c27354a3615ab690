import { isLoopbackAddress } from "@toolrack/core/internal";
import { describe, expect, it } from "vitest";
import { createGuard, type GuardOptions, isForLoopback } from "../../../src/http/guard/guard.ts";
import type { Problem } from "../../../src/http/reply/problem.ts";
import { WebRequest } from "../../../src/http/transport/web.ts";

function refused(headers: Record<string, string>, options: GuardOptions = {}): string | undefined {
  try {
    createGuard(options)(new WebRequest(new Request("http://localhost/x", { headers }), {}));
    return undefined;
  } catch (error) {
    return (error as Problem).code;
  }
}

describe("the guard", () => {
  it.each(["localhost", "localhost:7333", "127.0.0.1:7333", "[::1]:7333", "LOCALHOST:1"])("lets the loopback host %s in", (host) => {
    expect(refused({ host })).toBeUndefined();
  });

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:7333", "192.168.1.5", "[::2]", "local host", ""])(
    "refuses the host %j",
    (host) => expect(refused({ host })).toBe("HOST_REFUSED"),
  );

  it("says which setting lets a host or an origin in, and that it takes a restart", () => {
    const messageFor = (headers: Record<string, string>): string => {
      try {
        createGuard()(new WebRequest(new Request("http://localhost/x", { headers }), {}));
        return "";
      } catch (error) {
        return (error as Problem).message;
      }
    };
    expect(messageFor({ host: "tools.example.com" })).toMatch(/server\.allowedHosts .+ restart/);
    expect(messageFor({ host: "localhost", origin: "https://evil.example" })).toMatch(/server\.allowedOrigins .+ restart/);
    const long = "a".repeat(72);
    expect(messageFor({ host: `${long}12345678rest` })).toContain(`for the host "${long}12345678". Use`);
    expect(messageFor({ host: "localhost", origin: `https://${long}rest` })).toContain(`Pages of https://${long} may not`);
  });

  it.each(["127.0.0.1:7911@evil.com", "localhost:x@evil.example", "localhost:80:80", "user@localhost", "localhost:7333/"])(
    "SD17: refuses the host %j, which only begins like one of this machine",
    (host) => {
      expect(refused({ host })).toBe("HOST_REFUSED");
      expect(isForLoopback({ header: () => host })).toBe(false);
    },
  );

  it("lets a configured host in, with or without its port", () => {
    expect(refused({ host: "tools.example.com" }, { allowedHosts: ["Tools.example.com"] })).toBeUndefined();
    expect(refused({ host: "tools.example.com:8443" }, { allowedHosts: ["tools.example.com"] })).toBeUndefined();
    expect(refused({ host: "tools.example.com:8443" }, { allowedHosts: ["tools.example.com:443"] })).toBe("HOST_REFUSED");
  });

  it("lets any address in, but no other name, where it listens on all of them", () => {
    expect(refused({ host: "192.168.1.5:7333" }, { allowAddresses: true })).toBeUndefined();
    expect(refused({ host: "evil.example" }, { allowAddresses: true })).toBe("HOST_REFUSED");
  });

  it.each(["http://evil.example", "null", "http://localhost:3000", "http://localhost", "file://", "http://127.0.0.1:7333"])(
    "refuses the origin %s for localhost:7333",
    (origin) => expect(refused({ host: "localhost:7333", origin })).toBe("ORIGIN_REFUSED"),
  );

  it("lets pages of its own and of configured origins in", () => {
    expect(refused({ host: "localhost:7333", origin: "http://localhost:7333" })).toBeUndefined();
    expect(
      refused({ host: "tools.example.com", origin: "https://tools.example.com" }, { allowedHosts: ["tools.example.com"] }),
    ).toBeUndefined();
    expect(
      refused({ host: "localhost:7333", origin: "https://admin.example" }, { allowedOrigins: ["https://admin.example/"] }),
    ).toBeUndefined();
  });

  it("knows a host and an origin by every way in which they are written", () => {
    expect(refused({ host: "xn--bcher-kva.example" }, { allowedHosts: ["bücher.example"] })).toBeUndefined();
    expect(
      refused({ host: "localhost", origin: "https://admin.example" }, { allowedOrigins: ["https://admin.example:443"] }),
    ).toBeUndefined();
    expect(refused({ host: "localhost", origin: "https://admin.example" }, { allowedOrigins: ["https://Admin.example/"] })).toBeUndefined();
  });

  it("refuses what another site's page loads without saying its origin, and lets links be followed", () => {
    expect(refused({ host: "localhost:7333", "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })).toBe("ORIGIN_REFUSED");
    expect(refused({ host: "localhost:7333", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).toBeUndefined();
    expect(refused({ host: "localhost:7333", "sec-fetch-site": "same-origin" })).toBeUndefined();
  });
});

describe("a guard that sees one request after another", () => {
  it("judges each by its own host and its own origin", () => {
    const guard = createGuard();
    const codeOf = (headers: Record<string, string>): string | undefined => {
      try {
        guard(new WebRequest(new Request("http://localhost/x", { headers }), {}));
        return undefined;
      } catch (error) {
        return (error as Problem).code;
      }
    };
    const own = { host: "localhost:7333", origin: "http://localhost:7333" };
    const requests = [own, { ...own, origin: "http://evil.example" }, own, { ...own, host: "evil.example" }, own, { host: own.host }];
    expect(requests.map(codeOf)).toEqual([undefined, "ORIGIN_REFUSED", undefined, "HOST_REFUSED", undefined, undefined]);
  });
});

describe("isLoopbackAddress", () => {
  it.each(["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])("knows %s", (address) => expect(isLoopbackAddress(address)).toBe(true));
  it.each(["0.0.0.0", "10.0.0.1", "::", "::2", "::ffff:10.0.0.1", "localhost", "127.0.0.1.evil", ""])("refuses %j", (address) =>
    expect(isLoopbackAddress(address)).toBe(false),
  );
});
