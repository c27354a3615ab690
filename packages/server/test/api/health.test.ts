import { expect, it } from "vitest";
import { openTestServer } from "../http/rack.ts";

it("health is told to anybody, its details to those who are signed in", async () => {
  await using server = await openTestServer({ isExposed: true });
  expect(await (await server.ask("GET", "/health/live")).json()).toEqual({ status: "ok" });
  expect(await (await server.ask("GET", "/health")).json()).toEqual({ status: "ok" });
  expect((await server.ask("GET", "/api/v1/health", { key: "" })).status).toBe(401);
  const { secret: key } = await server.rack.keys.create({ agent: "ci", roles: [], by: "test" });
  expect(await (await server.ask("GET", "/api/v1/health", { key })).json()).toMatchObject({
    status: "ok",
    store: "ok",
    running: 0,
    programs: "off",
  });
});

it("a server whose store does not answer is alive, and not ready", async () => {
  await using server = await openTestServer();
  await server.rack.store.close();
  expect((await server.ask("GET", "/health/live")).status).toBe(200);
  Object.defineProperty(server.rack.store, "sequence", { value: () => Promise.reject(new Error("away")) });
  const ready = await server.ask("GET", "/health");
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: "unavailable" });
});
