import { codeSource, createRegistry, defineTool } from "@toolrack/core";
import { expect, it } from "vitest";
import { tellStart } from "../../../src/rack/tools/start-progress.ts";

const tools = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    defineTool({ name: `${prefix}_${index}`, description: "One of many.", inputSchema: { type: "object" }, handler: () => "done" }),
  );

async function start(count: number) {
  const lines: [message: string, tools: unknown][] = [];
  const info = (message: string, fields?: Readonly<Record<string, unknown>>): void => void lines.push([message, fields?.["tools"]]);
  const registry = createRegistry();
  const end = tellStart(registry, { debug() {}, warn() {}, error() {}, info }, 10);
  await registry.addSource(codeSource("many", tools("tool", count)));
  end();
  await registry.addSource(codeSource("later", tools("later", 10)));
  end();
  return lines;
}

it("the start of a server with very many tools is told as progress, and of others not", async () => {
  expect(await start(25)).toEqual([
    ["The server is starting, and registers its tools.", 10],
    ["The server is starting, and registers its tools.", 20],
    ["All tools are registered.", 25],
  ]);
  expect(await start(9)).toEqual([]);
});
