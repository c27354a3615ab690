import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

const inputSchema = { type: "object", properties: {} } as const;
const look = defineTool({ name: "look", description: "Looks.", inputSchema, handler: () => "seen" });
const anna = { agent: "anna", principal: "test anna" };

function open(): Promise<Rack> {
  const helper = { instructions: "Help.", model: "scripted", answer: "job", tools: { allow: ["look"] } } as const;
  return openTestRack({ config: { store: { memory: true }, agents: { helper } }, tools: [look] });
}

async function begin(rack: Rack, task: string): Promise<string> {
  const begun = await rack.registry.invoke("helper", { task }, { caller: anna });
  expect(begun).toMatchObject({ ok: true, data: { status: "running" } });
  return (begun as { data: { job_id: string } }).data.job_id;
}

describe("an agent that answers with a job", () => {
  it("answers at once, and the job has what it found", async () => {
    const rack = await open();
    const id = await begin(rack, "call look");
    expect(await rack.jobs.waitFor(id, { timeoutMs: 10_000 })).toMatchObject({ state: "done", subject: "helper" });
    const told = await rack.registry.invoke("job", { action: "get", job_id: id }, { caller: anna });
    expect(told).toMatchObject({ data: { job_id: id, agent: "helper", task: "call look", status: "done", text: "look answered: seen" } });
    expect(await rack.registry.invoke("job", { action: "list" }, { caller: anna })).toMatchObject({ data: { jobs: [{ job_id: id }] } });
    expect(await rack.agents.sessions.list({ agent: "helper" })).toMatchObject([{ key: `agent:helper:subagent:${id}`, status: "ended" }]);
  });

  it("AH12: is nobody else's: another caller neither sees nor ends it", async () => {
    const rack = await open();
    const id = await begin(rack, "call look");
    const bob = { agent: "bob", principal: "test bob" };
    for (const action of ["get", "cancel"])
      expect(await rack.registry.invoke("job", { action, job_id: id }, { caller: bob })).toMatchObject({ code: "INPUT_INVALID" });
    expect(await rack.registry.invoke("job", { action: "list" }, { caller: bob })).toMatchObject({ data: { jobs: [] } });
    await until(async () => (await rack.jobs.get(id))?.state === "done");
  });

  it("has no tool job on a server whose agents answer with results", async () => {
    const rack = await openTestRack({
      config: { store: { memory: true }, agents: { helper: { instructions: "Help.", model: "scripted" } } },
    });
    expect(rack.registry.has("helper")).toBe(true);
    expect(rack.registry.has("job")).toBe(false);
  });
});
