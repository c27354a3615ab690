import { defineTool } from "@toolrack/core";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

const needs = {
  memoryMb: 256,
  hosts: ["api.example.com"],
  files: { read: ["data"], write: ["out"] },
  programs: ["git"],
  permissions: ["calendar.write"],
};

// row: A18
it("what a tool needs is shown as declared, not enforced, whether it is code or a record", async () => {
  const tool = defineTool({
    name: "hungry",
    description: "Eats.",
    inputSchema: { type: "object" },
    metadata: { needs },
    handler: () => "",
  });
  await using server = await openTestServer({ tools: [tool], rack: { handlers: { eat: () => "" } } });
  await store(server, {
    name: "stored",
    description: "Eats.",
    inputSchema: { type: "object" },
    needs,
    implementation: { kind: "local", id: "eat" },
  });
  for (const name of ["hungry", "stored"]) {
    const { status, body } = await server.ask("GET", `/tools/${name}`);
    expect(status).toBe(200);
    expect(body.needs).toEqual({ ...needs, status: "declared, not enforced" });
    expect(body.metadata.needs).toEqual(needs);
  }
  expect((await server.ask("GET", "/tools/echo")).body).not.toHaveProperty("needs");
});

it("a record that declares its needs wrongly is refused, and the field is named", async () => {
  await using server = await openTestServer({ rack: { handlers: { eat: () => "" } } });
  const context = { name: "stored", description: "Eats.", inputSchema: { type: "object" }, implementation: { kind: "local", id: "eat" } };
  const { status, body } = await server.ask("POST", "/breadcrumbs", {
    schema_name: "tool.definition.v1",
    tags: ["tool"],
    context: { ...context, needs: { hosts: "api.example.com" } },
  });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain("needs");
});

// row: H27
it("lint names the successor of a tool that was deprecated", async () => {
  await using server = await openTestServer({ rack: { handlers: { eat: () => "" } } });
  await store(server, {
    name: "stored",
    description: "Eats.",
    inputSchema: { type: "object" },
    implementation: { kind: "local", id: "eat" },
  });
  await server.ask("POST", "/lifecycle/tool-def-stored/deprecate", { reason: "There is a better one", successor: "echo" });
  const findings = async (): Promise<readonly { rule: string }[]> =>
    ((await server.ask("GET", "/lint?tool=stored")).body.findings as { rule: string }[]).filter(({ rule }) => rule === "deprecated");
  await expect.poll(findings).toMatchObject([
    {
      tool: "stored",
      severity: "warning",
      path: "/0/metadata/deprecated",
      message: expect.stringContaining('its successor is "echo"') as string,
      fix: expect.stringContaining('Use "echo" instead') as string,
    },
  ]);
});

/** A definition that the owner writes is approved at once. */
async function store(server: TestServer, context: Readonly<Record<string, unknown>> & { readonly name: string }): Promise<void> {
  await server.ask("POST", "/breadcrumbs", { schema_name: "tool.definition.v1", tags: ["tool"], context });
  await expect.poll(async () => (await server.ask("GET", `/tools/${context.name}`)).status).toBe(200);
}
