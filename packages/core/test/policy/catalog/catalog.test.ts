import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coreToolCatalog } from "../../../src/policy/catalog/catalog.ts";
import { coreToolGroups } from "../../../src/policy/catalog/groups.ts";
import type { ToolPolicy } from "../../../src/policy/policy.ts";
import { coreToolProfiles, resolveCoreToolProfilePolicy } from "../../../src/policy/catalog/profiles.ts";

const table = `
read | Files | coding | Read file contents
write | Files | coding | Create or overwrite files
edit | Files | coding | Make precise edits
apply_patch | Files | coding | Patch files (OpenAI format)
exec | Runtime | coding | Run shell commands
process | Runtime | coding | Manage background processes
web_search | Web | (all) | Search the web
web_fetch | Web | (all) | Fetch web content
memory_search | Memory | coding | Semantic memory search
memory_get | Memory | coding | Read memory files
sessions_list | Sessions | coding, messaging | List sessions
sessions_history | Sessions | coding, messaging | Fetch session history
sessions_send | Sessions | coding, messaging | Send to another session
sessions_spawn | Sessions | coding | Spawn a sub-agent
subagents | Sessions | coding | Manage sub-agent runs
session_status | Sessions | minimal, coding, messaging | Show session status card
browser | UI | (all) | Control web browser
canvas | UI | (all) | Control canvases
message | Messaging | messaging | Send messages and channel actions
cron | Automation | (all) | Schedule tasks and reminders
gateway | Automation | (all) | Gateway control (restart, update)
nodes | Nodes | (all) | List/control paired devices
agents_list | Agents | (all) | List configured agent IDs
image | Media | coding | Image understanding
tts | Media | (all) | Text-to-speech conversion`;

describe("the catalog", () => {
  // row: J1
  it("has the 25 tools with section, profiles and description", () => {
    const rows = coreToolCatalog.map(({ name, section, profiles, description }) =>
      [name, section, profiles.join(", ") || "(all)", description].join(" | "),
    );
    expect(rows).toEqual(table.trim().split("\n"));
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(coreToolCatalog)).toBe(true);
    expect(coreToolCatalog.every((tool) => Object.isFrozen(tool) && Object.isFrozen(tool.profiles) && Object.isFrozen(tool.groups))).toBe(
      true,
    );
  });
});

describe("the worked cases speak of the same catalog", () => {
  const { catalog } = JSON.parse(readFileSync(new URL("../../fixtures/policy.json", import.meta.url), "utf8")) as {
    catalog: { sections: { label: string; tools: string[] }[]; profiles: Record<string, ToolPolicy>; groups: Record<string, string[]> };
  };

  it("with its sections, profiles and groups", () => {
    expect(catalog.sections.flatMap(({ label, tools }) => tools.map((name) => [label, name]))).toEqual(
      coreToolCatalog.map(({ section, name }) => [section, name]),
    );
    expect(catalog.groups).toEqual(Object.fromEntries(coreToolGroups));
    for (const [name, policy] of Object.entries(catalog.profiles)) expect(resolveCoreToolProfilePolicy(name) ?? {}).toEqual(policy);
  });
});

describe("the groups", () => {
  it.each([
    ["group:fs", "read write edit apply_patch"],
    ["group:runtime", "exec process"],
    ["group:web", "web_search web_fetch"],
    ["group:memory", "memory_search memory_get"],
    ["group:sessions", "sessions_list sessions_history sessions_send sessions_spawn subagents session_status"],
    ["group:ui", "browser canvas"],
    ["group:messaging", "message"],
    ["group:automation", "cron gateway"],
    ["group:nodes", "nodes"],
    ["group:agents", "agents_list"],
    ["group:media", "image tts"],
    // row: E3
  ])("%s holds %s", (group, members) => {
    expect(coreToolGroups.get(group)).toEqual(members.split(" "));
  });

  // row: E3
  it("are twelve, and group:openclaw holds everything but files and runtime", () => {
    expect(coreToolGroups.size).toBe(12);
    const rest = coreToolCatalog
      .map((tool) => tool.name)
      .filter((name) => !"read write edit apply_patch exec process".split(" ").includes(name));
    expect(coreToolGroups.get("group:openclaw")).toEqual(rest);
  });
});

describe("the profiles", () => {
  // row: E2
  it("minimal has one tool, coding fifteen, messaging five, and full restricts nothing", () => {
    expect(coreToolProfiles).toEqual(["minimal", "coding", "messaging", "full"]);
    expect(resolveCoreToolProfilePolicy("minimal")).toEqual({ allow: ["session_status"] });
    expect(resolveCoreToolProfilePolicy("coding")?.allow).toHaveLength(15);
    expect(resolveCoreToolProfilePolicy("messaging")?.allow).toEqual([
      "sessions_list",
      "sessions_history",
      "sessions_send",
      "session_status",
      "message",
    ]);
    expect(resolveCoreToolProfilePolicy("full")).toBeUndefined();
  });

  it("an unknown, absent or inherited name has no policy", () => {
    for (const name of ["Coding", "", "constructor", "__proto__", undefined]) expect(resolveCoreToolProfilePolicy(name)).toBeUndefined();
  });
});
