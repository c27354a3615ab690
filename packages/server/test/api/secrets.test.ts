import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

const mailer = defineTool({
  name: "mail",
  description: "Sends mail.",
  inputSchema: { type: "object", properties: {} },
  metadata: { secrets: ["smtp-password"] },
  handler: async (_, { secret }) => `length ${(await secret("smtp-password")).length}`,
});

it("secrets are set and removed by admins, listed by name, and never read", async () => {
  await using server = await openTestServer({ tools: [mailer] });
  const { secret: admin } = await server.rack.keys.create({ agent: "ada", roles: ["admin"], by: "test" });
  const { secret: curator } = await server.rack.keys.create({ agent: "cora", roles: ["curator"], by: "test" });
  expect(await (await server.request("GET", "/api/v1/secrets", { key: curator })).json()).toEqual({
    secrets: [],
    wanted: [{ name: "smtp-password", tools: ["mail"] }],
  });
  const body = { value: "correct horse battery" };
  expect((await server.request("PUT", "/api/v1/secrets/smtp-password", { body, key: curator })).status).toBe(403);
  expect((await server.request("PUT", "/api/v1/secrets/smtp-password", { body, key: admin })).status).toBe(204);
  const listed = await (await server.request("GET", "/api/v1/secrets", { key: curator })).text();
  expect(JSON.parse(listed)).toMatchObject({ secrets: [{ name: "smtp-password", version: 1 }], wanted: [] });
  expect(listed).not.toContain(body.value);
  expect(await (await server.request("POST", "/api/v1/tools/mail/call", { body: {}, key: admin })).json()).toMatchObject({
    content: "length 21",
  });

  const audit = await (await server.request("GET", "/api/v1/audit", { key: admin })).text();
  expect(audit).toContain("secret-set");
  expect(audit).toContain("ada");
  expect(audit).not.toContain(body.value);
  expect((await server.request("DELETE", "/api/v1/secrets/smtp-password", { key: admin })).status).toBe(204);
  expect((await server.request("DELETE", "/api/v1/secrets/smtp-password", { key: admin })).status).toBe(404);
});

it("a missing secret that is for a part of a tool alone is listed with that part, and the tool stays on offer", async () => {
  const channels = {
    team: { type: "slack", secret: "slack-token", recipients: ["C1"] },
    ops: { type: "webhook", url: "https://ops.example/in", recipients: ["ops"] },
  } as const;
  await using server = await openTestServer({ config: { tools: { packs: { messages: { channels } } } } });
  const { secret: key } = await server.rack.keys.create({ agent: "ada", roles: ["admin"], by: "test" });
  const { wanted } = (await (await server.request("GET", "/api/v1/secrets", { key })).json()) as { wanted: { name: string }[] };
  expect(wanted.find(({ name }) => name === "slack-token")).toEqual({
    name: "slack-token",
    tools: ["message"],
    uses: ['the channel "team" of message'],
  });
  const body = { input: { action: "channel-list" } };
  expect((await server.request("POST", "/api/v1/tools/message/call", { body, key })).status).toBe(200);
});

it("L1: nothing of a secret is kept with an Idempotency-Key, not even a hash that tells two values apart", async () => {
  await using server = await openTestServer({ tools: [mailer] });
  const headers = { "idempotency-key": "once" };
  for (const value of ["one", "longer"])
    expect((await server.request("PUT", "/api/v1/secrets/smtp-password", { body: { value }, headers })).status).toBe(204);
  expect(await (await server.request("POST", "/api/v1/tools/mail/call", { body: {} })).json()).toMatchObject({ content: "length 6" });
});
