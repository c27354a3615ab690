import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { run } from "./_run.ts";

// As `toolrack init` writes it: agents that are not listed have no tools, and nobody lists "owner".
const config =
  "tools: { packs: { utility: true } }\npolicy:\n  unknownAgents: deny\n  agents: { reporter: { tools: { allow: [echo] } } }\n";
const hint = " Or let an agent that it lists make the calls: --agent <agent>\n";
const trigger = ["triggers", "add", "news", "echo", "schema_name=news.v1", "--input", '{"message": {"from": "/record/title"}}'];

describe("what the owner of a project adds without --agent", () => {
  it.each([
    ["a trigger", trigger],
    ["a schedule", ["schedules", "add", "daily", "echo", "message=hi", "--every", "1h"]],
  ])("is refused with the option that names an agent: %s", async (_, words) => {
    const folder = temporaryFolder({ "toolrack.config.yaml": config });
    const refused = await run(words, { folder });
    expect(refused.code).not.toBe(0);
    expect(refused.errors).toContain('does not list the agent "owner"');
    expect(refused.errors.endsWith(hint)).toBe(true);
    expect(await run([...words, "--agent", "reporter"], { folder })).toMatchObject({ code: 0 });
  });

  it("does not repeat the option where it was given", async () => {
    const folder = temporaryFolder({ "toolrack.config.yaml": config });
    const refused = await run([...trigger, "--agent", "reportr"], { folder });
    expect(refused.code).not.toBe(0);
    expect(refused.errors).not.toContain(hint);
  });
});
