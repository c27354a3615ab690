import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";

const send = defineTool({
  name: "send",
  description: "Sends a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } } },
  metadata: { configSchema: { type: "object", properties: { to: { type: "string" } } } },
  handler: (_, { config }) => JSON.stringify(config),
});

it("ends a yes for always where the saved settings of the tool change, and names them in the question", async () => {
  const policy = { agents: { bot: { tools: { allow: ["send"], ask: ["send"] } } } };
  await using server = await openTestServer({ config: { store: { memory: true }, policy }, tools: [send] });
  const [bot, admin, curator] = [await server.as("bot"), await server.as("ada", "admin"), await server.as("cura", "curator")];
  const { approvals } = server.rack;
  const call = () => bot("POST", "/tools/send/call", { input: { text: "hi" } });
  await admin("PUT", "/configs/send", { to: "boss" });
  const first = call();
  await expect.poll(() => approvals.waiting()).toBe(1);
  const [question] = await approvals.list();
  expect(question!.message).toContain("It has the saved settings `to`");
  await admin("POST", `/approvals/${question!.id}/decide`, { approved: true, digest: question!.digest, scope: "always" });
  expect((await first).status).toBe(200);
  expect((await call()).status).toBe(200);
  await curator("PUT", "/configs/send", { to: "eve" });
  const changed = call();
  await expect.poll(() => approvals.waiting()).toBe(1);
  const asked = (await approvals.list()).find(({ digest }) => digest !== question!.digest)!;
  await admin("POST", `/approvals/${asked.id}/decide`, { approved: false, digest: asked.digest });
  expect((await changed).body).toMatchObject({ code: "APPROVAL_DENIED" });
});
