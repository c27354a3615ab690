import { exampleOf, type JsonSchema } from "@toolrack/json-schema";
import { openTestServer } from "@toolrack/testkit/test-server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Route } from "../../src/http/route.ts";
import { routes } from "../../src/routes.ts";

/** Where a route lets its caller name a tenant to act for. */
interface Place {
  readonly route: Route;
  readonly part: "query" | "body";
  readonly field: string;
}

const fields = ["runAs", "run_as", "caller"];

/** Questions about the policy act for nobody: they are answered from the configuration alone. */
const places: readonly Place[] = routes.flatMap((route) =>
  (["query", "body"] as const).flatMap((part) =>
    fields.flatMap((field) => (names(route[part], field) && !route.path.startsWith("/policy") ? [{ route, part, field }] : [])),
  ),
);

function names(schema: unknown, field: string): boolean {
  const properties = (schema as { properties?: Record<string, { properties?: object }> } | undefined)?.properties ?? {};
  return Object.hasOwn(properties, field) && Object.hasOwn(properties[field]!.properties ?? {}, "tenant");
}

/** With a value for everything else that the route requires. */
function toRequest({ route, part, field }: Place, tool: string, acting: object): [method: string, path: string, body?: unknown] {
  const path = route.path
    .replace("{target}", "openai")
    .replace("{notation}", "gbnf")
    .replaceAll(/\{[^}]+\}/g, tool);
  const { required = [], properties = {} } = (route[part] ?? {}) as { required?: string[]; properties?: Record<string, JsonSchema> };
  const others = Object.fromEntries(required.filter((name) => name !== field).map((name) => [name, exampleOf(properties[name]!)]));
  if (part === "body")
    return [route.method, path, { ...others, ...(route.path.endsWith("/call") && { input: { text: "hi" } }), [field]: acting }];
  const values = Object.entries({ ...others, [field]: acting }).map(([name, value]): [string, string] => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return [route.method, `${path}?${new URLSearchParams(values).toString()}`];
}

describe("tenants", () => {
  it("can be named by every route that acts for somebody", () => {
    expect(new Set(places.map(({ route }) => `${route.method} ${route.path}`)).size).toBeGreaterThanOrEqual(9);
  });

  // row: H20
  it("are never acted for by somebody of another one, whatever the route, the name, the role and the tool", async () => {
    await using server = await openTestServer({ config: { store: { memory: true } } });
    const callers = [
      await server.as("boss", "admin"),
      await server.as("ann", "curator"),
      await server.as("bob", "admin", "curator"),
      server.ask,
    ];
    const bob = callers[2]!;
    const answered = await Promise.all(places.map((place) => bob(...toRequest(place, "echo", { agent: "helper" }))));
    // Without a tenant they do act.
    const refused = places.filter((_, index) => answered[index]!.status !== 200).map(({ route }) => route.path);
    expect(refused.filter((path) => !path.startsWith("/bundles"))).toEqual([]);
    const before = (await server.ask("GET", "/calls")).body.calls.length;
    const tenant = fc.oneof(
      fc.constantFrom("north", "__proto__", "constructor", "*", "local", " "),
      fc.string({ minLength: 1, maxLength: 40 }),
    );
    const agent = fc.constantFrom("boss", "ann", "helper", "local");
    const aCase = fc.record({
      place: fc.constantFrom(...places),
      tenant,
      agent,
      caller: fc.constantFrom(...callers),
      tool: fc.constantFrom("fail", "echo"),
    });
    await fc.assert(
      fc.asyncProperty(aCase, async ({ place, tenant: named, agent: as, caller, tool }) => {
        const { status } = await caller(...toRequest(place, tool, { agent: as, tenant: named }));
        expect([400, 403, 404]).toContain(status);
      }),
      { numRuns: 400 },
    );
    expect((await server.ask("GET", "/calls")).body.calls).toHaveLength(before);
  });
});
