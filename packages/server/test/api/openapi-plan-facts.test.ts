import { afterThisTest } from "@toolrack/testkit/cleanup";
import { largeDocument, petsDocument } from "@toolrack/testkit/pets-api";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

async function open() {
  const server = await openTestServer();
  afterThisTest(() => server[Symbol.asyncDispose]());
  const plan = async (document: object, openapi: object = {}) =>
    (await server.ask("POST", "/openapi/plan", { document: JSON.stringify(document), openapi })).body;
  return { server, plan };
}

describe("the plan of a document", () => {
  it("estimates the tokens of all its tools for each vendor, also where it looks at a sample", async () => {
    const { plan } = await open();
    const [few, many] = [await plan(largeDocument("https://a.example", 50)), await plan(largeDocument("https://a.example", 400))];
    expect(few.tokens.map(({ vendor }: { vendor: string }) => vendor)).toEqual(["anthropic", "openai-chat", "openai-responses", "gemini"]);
    for (const [index, { tokens }] of few.tokens.entries()) {
      expect(many.tokens[index].tokens / tokens).toBeGreaterThan(7.5);
      expect(many.tokens[index].tokens / tokens).toBeLessThan(9);
    }
    expect((await plan({ openapi: "3.1.0", paths: {} })).tokens.map(({ tokens }: { tokens: number }) => tokens)).toEqual([0, 0, 0, 0]);
  });

  it("tells which secrets are set, where requests go, and whether models will search", async () => {
    const { server, plan } = await open();
    await server.rack.secrets.set("ZOO_KEY", "k-123");
    const pets = petsDocument("https://api.example.com");
    expect(await plan(pets, { secrets: { api_key: "ZOO_KEY" }, baseUrl: "https://other.example.com/v2" })).toMatchObject({
      secrets: [{ secret: "ZOO_KEY", tools: 3, isSet: true }],
      servers: ["https://other.example.com/v2"],
      searched: false,
    });
    expect((await plan(pets, { search: true })).searched).toBe(true);
    expect((await plan(largeDocument("https://a.example", 100))).searched).toBe(false);
    expect((await plan(largeDocument("https://a.example", 101))).searched).toBe(true);
    expect((await plan(largeDocument("https://a.example", 101), { search: false })).searched).toBe(false);
  });
});
