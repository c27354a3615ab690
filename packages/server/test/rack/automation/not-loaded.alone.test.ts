import { openTestServer } from "@toolrack/testkit/test-server";
import { beforeEach, expect, it, vi } from "vitest";

const loaded = vi.hoisted((): string[] => []);

vi.mock("croner", async (original) => {
  loaded.push("croner");
  return original();
});
vi.mock("../../../src/rack/automation/hooks/deliver.ts", async (original) => {
  loaded.push("deliver");
  return original();
});

beforeEach(() => void loaded.splice(0));

it("a server without schedules, webhooks and jobs loads none of their parts, and looks for no jobs", async () => {
  await using server = await openTestServer();
  expect((await server.ask("POST", "/tools/echo/call", { input: { text: "hi" } })).status).toBe(200);
  for (const path of ["/schedules", "/triggers", "/webhooks", "/hooks", "/jobs"]) expect((await server.ask("GET", path)).status).toBe(200);
  expect(loaded).toEqual([]);
  expect(server.rack.jobs.state()).toEqual({ running: 0, isLooking: false });
  const schedule = { id: "daily", tool: "echo", input: { text: "hi" }, cron: "0 7 * * *", tz: "UTC" };
  expect((await server.ask("POST", "/schedules", schedule)).status).toBe(201);
  expect(loaded).toEqual(["croner"]);
  expect(server.rack.jobs.state().isLooking).toBe(false);
});
