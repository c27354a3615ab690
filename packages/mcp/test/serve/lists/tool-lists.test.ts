import { createRegistry, defineTool, type ToolDefinition } from "@toolrack/core";
import { expect, it } from "vitest";
import { createToolLists } from "../../../src/serve/lists/tool-lists.ts";
import { createResults } from "../../../src/serve/results.ts";

function toolOf(name: string): ToolDefinition {
  return defineTool({ name, description: "Of one person.", inputSchema: { type: "object" }, handler: () => "done" });
}

it("SD16: a tool that exists for one principal is in the list of no other, also where all other facts are the same", async () => {
  const registry = createRegistry();
  registry.register(toolOf("shared"));
  await registry.addSource({
    id: "personal",
    list: () => [],
    listFor: ({ principal }) => (principal === "ada" ? [toolOf("diary")] : []),
  });
  const lists = createToolLists({ registry, results: createResults({ name: "test", version: "1" }, 0), pageSize: 10 });
  const namesFor = (principal: string): string[] => lists.for({ agent: "main", principal }, false).tools.map(({ name }) => name);
  expect(namesFor("ada")).toEqual(["shared", "diary"]);
  expect(namesFor("bob")).toEqual(["shared"]);
  expect(namesFor("ada")).toEqual(["shared", "diary"]);
});

it("SD16: so is one that exists for one session", async () => {
  const registry = createRegistry();
  await registry.addSource({
    id: "personal",
    list: () => [],
    listFor: ({ session }) => (session === "one" ? [toolOf("draft")] : []),
  });
  const lists = createToolLists({ registry, results: createResults({ name: "test", version: "1" }, 0), pageSize: 10 });
  const namesFor = (session: string): string[] => lists.for({ agent: "main", session }, false).tools.map(({ name }) => name);
  expect(namesFor("one")).toEqual(["draft"]);
  expect(namesFor("two")).toEqual([]);
});
