import { fileURLToPath } from "node:url";
import type { ToolDefinition } from "@toolrack/core";
import { scanTool } from "@toolrack/core/scan";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import { packNames } from "../../../src/config/config.ts";
import type { ScanReport } from "../../../src/api/scan.ts";
import type { ServerModule } from "../../../src/module.ts";

const example = (path: string): string => fileURLToPath(new URL(`../../../../../examples/${path}`, import.meta.url));

/** Every pack, with all of its tools. */
const packs = {
  ...Object.fromEntries(packNames.map((name) => [name, true])),
  runtime: { shell: true },
  code: { bash: true },
  web: { search: { backend: "searxng", baseUrl: "http://search.example" } },
  memory: { folder: "notes" },
  commerce: { sample: true },
};

/** The tools that a module of the examples gives, with those of its packs. */
async function toolsOf(path: string): Promise<readonly ToolDefinition[]> {
  const { default: given } = (await import(/* @vite-ignore */ example(path))) as {
    readonly default: readonly ToolDefinition[] | ServerModule;
  };
  if (!("tools" in given)) return given as readonly ToolDefinition[];
  const opened = await Promise.all((given.packs ?? []).map((pack) => pack.open({ prefix: "SHOP" }, {} as never)));
  return [...(given.tools ?? []), ...opened.flat()] as readonly ToolDefinition[];
}

describe("the tools of the built-in packs and of the examples", () => {
  it("have no finding of the scanner that is a warning or worse", async () => {
    const rack = await openTestRack({ config: { store: { memory: true }, tools: { packs, modules: [example("demo/tools.js")] } } });
    const ofModules = await Promise.all(["server-module/small.ts", "server-module/module.ts"].map(toolsOf));
    const { found, tools } = (await serverOver(rack).ask("GET", "/scan?limit=1000")).body as ScanReport;
    expect(tools).toBeGreaterThan(60);
    const scanned = [...found, ...ofModules.flat().map((tool) => ({ tool: tool.name, findings: scanTool(tool) }))];
    const alarms = scanned.flatMap(({ tool, findings }) =>
      findings
        .filter(({ severity }) => severity !== "info")
        .map(({ rule, severity, path, evidence }) => `${severity} ${rule}: ${tool}${path}: ${evidence}`),
    );
    expect(alarms).toEqual([]);
  });
});
