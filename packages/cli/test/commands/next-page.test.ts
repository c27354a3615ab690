import { describe, expect, it } from "vitest";
import { runScripted, type Script } from "../_scripted.ts";

const call = { id: "c1", tool: "send", startedAt: 0, ok: true, caller: { agent: "ada" } };
const job = { id: "j1", tool: "send", state: "done", createdAt: 0, dueAt: 0, origin: "call", tries: 1 };

async function more(words: readonly string[], script: Script): Promise<string | undefined> {
  const { output } = await runScripted(words, script);
  return /^More: (.*)$/m.exec(output)?.[1];
}

describe("the command for the next page of a list", () => {
  it("keeps what the list was asked for, and names only the new place to begin", async () => {
    const calls = { "GET /calls": { calls: [call], next: 7 } };
    expect(await more(["calls", "--tool", "send it", "--errors", "--limit", "1", "--before", "9"], calls)).toBe(
      "toolrack calls --errors --tool 'send it' --limit 1 --before 7",
    );
    const jobs = { "GET /jobs": { jobs: [job], next: "j1" } };
    expect(await more(["jobs", "list", "--state", "done", "--after", "j0"], jobs)).toBe("toolrack jobs list --state done --after j1");
    const deliveries = { "GET /webhooks/desk/deliveries": { deliveries: [{ ...job, hook: "desk" }], next: "d2" } };
    expect(await more(["hooks", "deliveries", "desk", "--state", "dead"], deliveries)).toBe(
      "toolrack hooks deliveries desk --state dead --after d2",
    );
  });
});
