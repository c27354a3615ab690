import { definitionHash } from "@toolrack/store";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

const definition = {
  schema_name: "tool.definition.v1",
  tags: ["tool", "workspace:tools"],
  context: {
    name: "stored_echo",
    description: "Gives back what it is given.",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    implementation: { kind: "local", id: "echo" },
  },
};

// row: E18
it("a stored tool cannot be called before it was approved, and can be without a restart afterwards; both are audited (E18)", async () => {
  await using server = await openTestServer({ rack: { handlers: { echo: (input: unknown) => input } } });
  const { secret: author } = await server.rack.keys.create({ agent: "anna", roles: ["emitter"], by: "test" });
  const { secret: curator } = await server.rack.keys.create({ agent: "cora", roles: ["curator"], by: "test" });
  const decide = (verb: string, body: unknown, key = curator): Promise<Response> =>
    server.request("POST", `/api/v1/lifecycle/tool-def-stored_echo/${verb}`, { key, ...(body !== undefined && { body }) });
  const call = async (): Promise<number> =>
    (await server.request("POST", "/api/v1/tools/stored_echo/call", { body: { input: { text: "hello" } }, key: curator })).status;

  expect((await server.request("POST", "/api/v1/breadcrumbs", { body: definition, key: author })).status).toBe(201);
  expect(await (await server.request("GET", "/api/v1/lifecycle?state=draft", { key: curator })).json()).toMatchObject({
    definitions: [{ id: "tool-def-stored_echo", name: "stored_echo", state: "draft", updated_by: "anna" }],
  });
  expect(await call()).toBeGreaterThanOrEqual(400);
  const hash = definitionHash((await server.rack.store.get("tool-def-stored_echo"))!);
  const yes = { reason: "Looks right", hash };
  expect(await (await decide("approve", yes)).json()).toMatchObject({ status: 409, code: "STATE_INVALID" });
  expect(await (await decide("validate", undefined, author)).json()).toMatchObject({ ok: true });
  expect((await decide("approve", yes, author)).status).toBe(403);
  expect((await decide("approve", {})).status).toBe(400);
  const approved = await decide("approve", yes);
  expect(await approved.json()).toMatchObject({ context: { state: "approved", review: { reason: "Looks right", by: "cora" } } });
  await expect.poll(call).toBe(200);

  expect((await decide("deprecate", { reason: "There is a better one", successor: "echo" })).status).toBe(200);
  await expect.poll(call).toBe(200);
  expect((await decide("archive", { reason: "Nobody uses it" })).status).toBe(200);
  await expect.poll(call).toBeGreaterThanOrEqual(400);
  const kinds = (
    (await (await server.request("GET", "/api/v1/audit?subject=tool-def-stored_echo", { key: curator })).json()) as {
      lines: { kind: string }[];
    }
  ).lines;
  expect(kinds.map(({ kind }) => kind)).toEqual(["archived", "deprecated", "approved"]);
});

it("a rejected definition goes back to its author with the reason, and a faulty one is not validated", async () => {
  await using server = await openTestServer();
  await server.request("POST", "/api/v1/breadcrumbs", { body: { ...definition, context: { ...definition.context, state: "draft" } } });
  expect((await server.request("POST", "/api/v1/lifecycle/tool-def-stored_echo/validate")).status).toBe(200);
  const rejected = await server.request("POST", "/api/v1/lifecycle/tool-def-stored_echo/reject", {
    body: { reason: "Say what it is for" },
  });
  expect(await rejected.json()).toMatchObject({
    context: { state: "draft", review: { decision: "rejected", reason: "Say what it is for" } },
  });
  const examples = [{ description: "Wrong", input: { text: 1 } }];
  await server.request("PATCH", "/api/v1/breadcrumbs/tool-def-stored_echo", { body: { context: { examples } } });
  expect(await (await server.request("POST", "/api/v1/lifecycle/tool-def-stored_echo/validate")).json()).toMatchObject({
    ok: false,
    problems: [expect.any(String)],
  });
  expect((await server.request("POST", "/api/v1/lifecycle/nothing/approve", { body: { reason: "x", hash: "y" } })).status).toBe(404);
});

it("a definition under the name of a tool that is not stored is refused when it is written, imported or approved", async () => {
  await using server = await openTestServer({ rack: { handlers: { echo: (input: unknown) => input } } });
  const taken = { ...definition, context: { ...definition.context, name: "echo" } };
  const fact = expect.stringMatching(
    /^The name "echo" is taken by a tool of .+ Choose another name, or store a definition with the schemas of that tool\.$/,
  );
  const written = await server.request("POST", "/api/v1/breadcrumbs", { body: taken });
  expect(await written.json()).toMatchObject({ status: 409, code: "STATE_INVALID", detail: fact });
  const imported = await server.request("POST", "/api/v1/records/import", { body: { records: [taken] } });
  expect(await imported.json()).toMatchObject({ created: 0, problems: [{ problem: fact }] });
  const stored = await server.rack.store.put(taken);
  expect(stored.ok && (await server.rack.definitionProblem(stored.record))).toEqual(fact);
});
