import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pathOf } from "../../src/http/request/handle.ts";
import { routes } from "../../src/routes.ts";

/** Texts for people may be reworded at any time. */
const texts: ReadonlySet<string> = new Set(["description", "summary", "title", "examples"]);

/** "query.properties.limit.maximum = 200", a line for each fact. */
function linesOf(value: unknown, path: string): string[] {
  if (typeof value === "function") return [];
  if (typeof value !== "object" || value === null) return [`  ${path} = ${JSON.stringify(value)}`];
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return [`  ${path} = ${JSON.stringify(value)}`];
  return Object.entries(value).flatMap(([key, inner]) =>
    texts.has(key) && typeof inner !== "object" ? [] : linesOf(inner, path === "" ? key : `${path}.${key}`),
  );
}

/** What may be sent, fact by fact; of each answer the status and a digest, which changes with its schema. */
function describeRoute(route: (typeof routes)[number]): string {
  const { answers, ...rest } = route;
  const digests = Object.entries(answers).map(([status, shape]) => {
    const facts = linesOf(shape, "").join("\n");
    return `  answers ${status} ${facts === "" ? "without a body" : createHash("sha256").update(facts).digest("hex").slice(0, 12)}`;
  });
  return [`${route.method} ${pathOf(route)}`, ...linesOf(rest, ""), ...digests].join("\n");
}

describe("the HTTP API", () => {
  it("is what clients rely on; after a change on purpose: npx vitest run packages/server/test/api/contract -u", async () => {
    const lines = routes.map(describeRoute).toSorted().join("\n\n");
    await expect(`${lines}\n`).toMatchFileSnapshot("./contract.txt");
  });
});
