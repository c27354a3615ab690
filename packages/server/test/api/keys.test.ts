import { systemClock } from "@toolrack/core/node";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

it("keys show their secret once, open what their roles allow, and nothing after they were revoked", async () => {
  await using server = await openTestServer();
  const made = await server.request("POST", "/api/v1/keys", { body: { agent: "ada", roles: ["admin"], description: "For the team" } });
  expect(made.status).toBe(201);
  const { secret, id } = (await made.json()) as { secret: string; id: string };
  expect(secret).toMatch(/^trk_/);
  const listed = await (await server.request("GET", "/api/v1/keys", { key: secret })).text();
  expect(JSON.parse(listed)).toMatchObject({
    keys: [{ id, agent: "ada", roles: ["admin"], createdBy: "owner", description: "For the team" }],
  });
  expect(listed).not.toContain(secret.slice(-20));
  expect((await server.request("DELETE", `/api/v1/keys/${id}`, { key: secret })).status).toBe(204);
  expect((await server.request("GET", "/api/v1/keys", { key: secret })).status).toBe(401);
});

it("the first key says that it ends access without one, and no other does, nor where a key was needed before", async () => {
  await using server = await openTestServer({ config: { policy: { unknownAgents: "allow" } } });
  const withoutKey = async (): Promise<number> => (await server.request("GET", "/api/v1/tools", { key: "" })).status;
  expect(await withoutKey()).toBe(200);
  const first = (await server.ask("POST", "/keys", { agent: "ada" })).body;
  expect(first).toMatchObject({ endsAnonymous: true });
  expect(await withoutKey()).toBe(401);
  await server.ask("DELETE", `/keys/${first.id}`);
  expect(await withoutKey()).toBe(401);
  expect((await server.ask("POST", "/keys", { agent: "ada" })).body).not.toHaveProperty("endsAnonymous");
  await using closed = await openTestServer({ config: { server: { requireSignIn: true } } });
  expect((await closed.ask("POST", "/keys", { agent: "ada" })).body).not.toHaveProperty("endsAnonymous");
});

it("keys have an end, and only roles that exist", async () => {
  let later = 0;
  await using server = await openTestServer({ rack: { clock: { ...systemClock, now: () => systemClock.now() + later } } });
  expect((await server.request("POST", "/api/v1/keys", { body: { agent: "a", roles: ["emperor"] } })).status).toBe(400);
  expect((await server.request("POST", "/api/v1/keys", { body: { agent: "a", expiresAt: 1 } })).status).toBe(400);
  expect((await server.request("POST", "/api/v1/keys", { body: {} })).status).toBe(400);
  expect((await server.request("DELETE", "/api/v1/keys/0123456789abcdef")).status).toBe(404);
  const { secret } = await server.rack.keys.create({ agent: "brief", roles: [], expiresAt: Date.now() + 3_600_000, by: "test" });
  expect((await server.request("GET", "/api/v1/tools", { key: secret })).status).toBe(200);
  later = 3_600_001;
  expect((await server.request("GET", "/api/v1/tools", { key: secret })).status).toBe(401);
});
