import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../../src/http/limits/limits.ts";
import { createHttpServer, defaultTimeouts } from "../../../src/http/transport/http-server.ts";

const reference = readFileSync(new URL("../../../../../docs/reference/configuration.md", import.meta.url), "utf8");

/** { bodyBytes: 4_194_304, … } as the reference of the configuration says. */
function documentedDefaults(part: string): Record<string, number> {
  const rows = reference.matchAll(new RegExp(`^\\| \`server\\.${part}\\.(\\w+)\` .* Default: ([\\d,]+)\\.`, "gm"));
  return Object.fromEntries([...rows].map(([, name, number]) => [name, Number(number!.replaceAll(",", ""))]));
}

describe("without configuration", () => {
  it("the limits are those of the reference, and a body may take 15 seconds and be nested 64 deep", () => {
    expect(defaultLimits).toEqual({ ...documentedDefaults("limits"), bodyTimeoutMs: 15_000, jsonDepth: 64 });
  });

  it("the timeouts are those of the reference", () => {
    expect(defaultTimeouts).toEqual(documentedDefaults("timeouts"));
  });
});

it("the timeouts of a server are those that it is given, and a request has at least the time of its head", () => {
  const onRequest = (): void => undefined;
  const { server } = createHttpServer({ timeouts: { headersMs: 2_000, requestMs: 3_000, keepAliveMs: 4_000 }, onRequest });
  expect(server).toMatchObject({ headersTimeout: 2_000, requestTimeout: 3_000, keepAliveTimeout: 4_000 });
  const short = createHttpServer({ timeouts: { headersMs: 2_000, requestMs: 1_000, keepAliveMs: 4_000 }, onRequest });
  expect(short.server.requestTimeout).toBe(2_000);
});
