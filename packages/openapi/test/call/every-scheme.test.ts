import { createMemorySecrets, createRegistry, type ToolResult } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { readOpenApi } from "../../src/index.ts";
import { openLoopback } from "./loopback.ts";

const token = (value: string) => `Bearer ${value}`;

/** Each scheme, its secret, and what a server asks for: [place, name, value]. */
const schemes = {
  header: [{ type: "apiKey", in: "header", name: "X-Key" }, "k-header", ["header", "x-key", "k-header"]],
  query: [{ type: "apiKey", in: "query", name: "key" }, "k&query", ["query", "key", "k&query"]],
  cookie: [{ type: "apiKey", in: "cookie", name: "sid" }, "k-cookie", ["header", "cookie", "sid=k-cookie"]],
  basic: [{ type: "http", scheme: "basic" }, "user:pässword", ["header", "authorization", "Basic dXNlcjpww6Rzc3dvcmQ="]],
  bearer: [{ type: "http", scheme: "bearer" }, "k-bearer", ["header", "authorization", token("k-bearer")]],
  oauth: [{ type: "oauth2", flows: {} }, "k-oauth", ["header", "authorization", token("k-oauth")]],
  oidc: [{ type: "openIdConnect", openIdConnectUrl: "https://id.example" }, "k-oidc", ["header", "authorization", token("k-oidc")]],
} as const;
const names = Object.keys(schemes) as (keyof typeof schemes)[];

/** A server that answers 401 unless a request to /<scheme> carries what the scheme asks for, and nothing of the others. */
async function openGuarded() {
  return openLoopback(({ url, headers }) => {
    const asked = new URL(url, "http://localhost");
    const wanted = schemes[asked.pathname.slice(1) as keyof typeof schemes][2];
    const given = [
      ...["x-key", "cookie", "authorization"].flatMap((name) => (headers[name] === undefined ? [] : [["header", name, headers[name]]])),
      ...[...asked.searchParams].map(([name, value]) => ["query", name, value]),
    ];
    const isRight = JSON.stringify(given) === JSON.stringify([wanted]);
    return isRight ? { body: { signedIn: true } } : { status: 401, body: { message: "Sign in." } };
  });
}

describe("a server with every security scheme", () => {
  it.each(names)("takes the credential of %s, and only that", async (name) => {
    const { host, url, met } = await openGuarded();
    const document = {
      openapi: "3.1.0",
      servers: [{ url }],
      components: { securitySchemes: Object.fromEntries(names.map((one) => [one, schemes[one][0]])) },
      paths: Object.fromEntries(names.map((one) => [`/${one}`, { get: { operationId: one, security: [{ [one]: [] }] } }])),
    };
    const { tools, warnings } = readOpenApi(document, { allowHosts: [host] });
    expect(warnings).toEqual([]);
    const call = (secrets: Record<string, string>): Promise<ToolResult> => {
      const registry = createRegistry({ secrets: createMemorySecrets(secrets) });
      afterThisTest(() => registry.close());
      for (const tool of tools) registry.register(tool);
      return registry.invoke(name, {});
    };
    const all = Object.fromEntries(names.map((one) => [one, schemes[one][1] as string]));
    expect(await call(all)).toMatchObject({ ok: true, data: { signedIn: true } });
    expect(await call({ ...all, [name]: "wrong" })).toMatchObject({
      ok: false,
      error: `GET /${name}: ${host} answered 401: Sign in. Check the secret "${name}".`,
    });
    const sent = met.length;
    expect(await call({})).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    expect(met.length).toBe(sent);
  });

  it("is not asked without a credential where one of the ways is not supported", async () => {
    const { host, url, met } = await openGuarded();
    const securitySchemes = { tls: { type: "mutualTLS" }, bearer: schemes.bearer[0] };
    const paths = { "/bearer": { get: { operationId: "bearer", security: [{ tls: [] }, { bearer: [] }] } } };
    const { tools } = readOpenApi({ openapi: "3.1.0", servers: [{ url }], components: { securitySchemes }, paths }, { allowHosts: [host] });
    const registry = createRegistry({ secrets: createMemorySecrets({}) });
    afterThisTest(() => registry.close());
    registry.register(tools[0]!);
    expect(await registry.invoke("bearer", {})).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    expect(met).toEqual([]);
  });
});
