import { Validator } from "@seriousme/openapi-schema-validator";
import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const tools = [
  defineTool({
    name: "orders.find",
    description: `Finds orders. ${"Very long. ".repeat(60)}`,
    inputSchema: {
      type: "object",
      properties: { tree: { $ref: "#/$defs/node" }, again: { $ref: "#" }, note: { type: "string", description: "n".repeat(900) } },
      $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } }, "odd/name": { type: "string" } },
    },
    outputSchema: { type: "object", properties: { total: { type: "integer" } }, required: ["total"] },
    metadata: { annotations: { readOnly: true } },
    handler: () => ({ total: 3 }),
  }),
  defineTool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    handler: ({ id }) => `refunded ${String(id)}`,
  }),
  defineTool({ name: "secret_tool", description: "Hidden.", inputSchema: { type: "object" }, handler: () => "no" }),
];
const config = {
  store: { memory: true },
  tools: { packs: { utility: false, sessions: false } },
  policy: { agents: { ann: { tools: { deny: ["secret_tool"] } }, bob: { tools: { allow: ["refund"] } } } },
} as const;

async function open() {
  const server = serverOver(await openTestRack({ tools, config }));
  const [ann, bob, curator] = await Promise.all([server.as("ann"), server.as("bob"), server.as("boss", "curator")]);
  return { ...server, ann, bob, curator };
}

describe("the OpenAPI document of an agent", () => {
  it("has one operation for each tool that the agent may call, and is valid OpenAPI 3.1", async () => {
    const { ann } = await open();
    const { status, body } = await ann("GET", "/agents/ann/openapi.json");
    expect(status).toBe(200);
    expect(Object.keys(body.paths)).toEqual(["/tools/orders.find/call", "/tools/refund/call"]);
    const checked = await new Validator().validate(structuredClone(body));
    expect(checked.errors ?? []).toEqual([]);
    expect(body.servers).toEqual([{ url: "http://localhost/api/v1" }]);
    expect(body.security).toEqual([{ key: [] }]);
    expect(JSON.stringify(body)).not.toContain("secret_tool");
    const found = body.paths["/tools/orders.find/call"].post;
    expect(found.operationId).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(found["x-openai-isConsequential"]).toBe(false);
    expect(body.paths["/tools/refund/call"].post["x-openai-isConsequential"]).toBe(true);
  });

  it("has no reference that leads nowhere: definitions of a schema become components", async () => {
    const { ann } = await open();
    const { body } = await ann("GET", "/agents/ann/openapi.json");
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"(#[^"]*)"/g)].map(([, reference]) => reference!);
    expect(references.length).toBeGreaterThan(3);
    for (const reference of references) {
      const steps = reference.slice(2).split("/");
      expect(
        steps.reduce((value: Record<string, unknown> | undefined, step) => value?.[step] as never, body),
        reference,
      ).toBeDefined();
    }
    const { operationId } = body.paths["/tools/orders.find/call"].post;
    expect(body.components.schemas[`${operationId}.input.node`].properties.next).toEqual({
      $ref: `#/components/schemas/${operationId}.input.node`,
    });
  });

  it("shortens descriptions to what platforms take, unless they are asked for in full", async () => {
    const { ann } = await open();
    const short = (await ann("GET", "/agents/ann/openapi.json")).body;
    const full = (await ann("GET", "/agents/ann/openapi.json?full=true")).body;
    const descriptionIn = (document: typeof short) => document.paths["/tools/orders.find/call"].post.description.length;
    expect(descriptionIn(short)).toBeLessThanOrEqual(300);
    expect(descriptionIn(full)).toBeGreaterThan(600);
    expect(JSON.stringify(short)).not.toContain("n".repeat(701));
    expect(JSON.stringify(full)).toContain("n".repeat(900));
  });

  it("is for the agent itself and for operators", async () => {
    const { ann, bob, curator } = await open();
    expect(await bob("GET", "/agents/ann/openapi.json")).toMatchObject({ status: 403, body: { code: "ROLE_MISSING" } });
    const seen = await curator("GET", "/agents/bob/openapi.json");
    expect(Object.keys(seen.body.paths)).toEqual(["/tools/refund/call"]);
    expect(await ann("GET", "/agents/ann/openapi.json?bundle=none")).toMatchObject({ status: 404 });
    for (const server of [
      "ftp://x",
      "https://user:word@tools.example.com",
      "https://tools.example.com/?x",
      "https://tools.example.com/#x",
    ]) {
      const refused = await ann("GET", `/agents/ann/openapi.json?server=${encodeURIComponent(server)}`);
      expect([refused.status, JSON.stringify(refused.body).includes("word")], server).toEqual([400, false]);
    }
    const elsewhere = await ann("GET", "/agents/ann/openapi.json?server=https:%2F%2Ftools.example.com%2F");
    expect(elsewhere.body.servers).toEqual([{ url: "https://tools.example.com/api/v1" }]);
  });

  it("can be called as it says, with the agent's key", async () => {
    const { bob } = await open();
    const { body } = await bob("GET", "/agents/bob/openapi.json");
    const [path] = Object.keys(body.paths);
    expect(await bob("POST", path!, { input: { id: "7" } })).toMatchObject({ status: 200, body: { ok: true, content: "refunded 7" } });
    expect(await bob("POST", "/tools/orders.find/call", { input: {} })).toMatchObject({ status: 403 });
  });
});
