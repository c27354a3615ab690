import type { SafeFetch } from "@toolrack/fetch";
import { describe, expect, it, vi } from "vitest";
import type { Breadcrumb } from "../../../src/record/breadcrumb.ts";
import { httpKind } from "../../../src/tools/kinds/http.ts";

const record = { context: { name: "x" } } as unknown as Breadcrumb;
const create = (implementation: Record<string, unknown>): unknown =>
  httpKind((() => undefined) as unknown as SafeFetch).createHandler(
    { kind: "http", endpoint: "https://a.example", ...implementation },
    record,
  );

describe("an HTTP tool with a secret", () => {
  const inHeader = { type: "header", name: "X-Custom", secret: "secret:k" };
  const bearer = { type: "bearer", secret: "secret:k" };

  it.each([
    [{ auth: inHeader, parameters: { "x-custom": "header" } }],
    [{ auth: inHeader, headers: { "X-CUSTOM": "mine" } }],
    [{ auth: bearer, parameters: { Authorization: "header" } }],
  ])("is refused if something else sets the header of the secret: %j", (implementation) => {
    expect(() => create(implementation)).toThrow(/auth sends the secret in the header/);
  });

  it("may have other headers", () => {
    expect(() =>
      create({ auth: inHeader, parameters: { "X-Other": "header", q: "query" }, headers: { Accept: "text/plain" } }),
    ).not.toThrow();
    expect(() => create({ auth: inHeader, method: "POST", parameters: { "X-Custom": "query" } })).not.toThrow();
    expect(() => create({ auth: bearer, parameters: { "X-Custom": "header", Authorization: "query" } })).not.toThrow();
    const inQuery = { type: "query", name: "authorization", secret: "secret:k" };
    expect(() => create({ auth: inQuery, headers: { Authorization: "mine" } })).not.toThrow();
  });

  it("closes what it fetches with", async () => {
    const close = vi.fn(async () => undefined);
    await httpKind({ close } as unknown as SafeFetch).close!();
    expect(close).toHaveBeenCalledTimes(1);
  });
});
