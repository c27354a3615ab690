import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const count = 10_000;
const targets = { first: 5_000, unchanged: 300 };

/** What the ledger of definitions costs at the start of a server with 10,000 tools of its own code, on SQLite: CPU time. */
export async function ledgerTable() {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  try {
    const bare = Math.min(await starting(join(folder, "bare"), []), await starting(join(folder, "bare"), []));
    const tools = await makeTools();
    // In memory alone: reading and registering the tools, without any record.
    const registered = await registering(tools);
    const first = (await starting(join(folder, "full"), tools)) - bare - registered;
    const again = Math.min(await starting(join(folder, "full"), tools), await starting(join(folder, "full"), tools)) - bare - registered;
    const row = (what, ms, most) => [what, `${Math.round(ms)} ms`, `< ${most} ms`, ms < most ? "ok" : "over"];
    return {
      caption: `The ledger of definitions, ${count.toLocaleString("en")} tools on SQLite: CPU time beyond a start without it`,
      columns: ["what", "CPU", "target", "verdict"],
      rows: [row("first start: every tool is recorded", first, targets.first), row("start with unchanged tools", again, targets.unchanged)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeTools() {
  const { defineTool } = await import("@toolrack/core");
  return Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `tool_${index}`,
      description: `Searches the catalogue number ${index} for products and returns the best ones.`,
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: `What to look for in ${index}.` },
          limit: { type: "integer", minimum: 1, maximum: 100, description: "How many." },
          kind: { enum: ["new", "used", "any"] },
        },
        required: ["query"],
      },
      metadata: { category: "search", tags: ["shop"] },
      handler: () => "",
    }),
  );
}

async function registering(tools) {
  const { codeSource, createRegistry } = await import("@toolrack/core");
  return cpuMs(async () => {
    const registry = createRegistry();
    await registry.addSource(codeSource("tools", tools));
    return registry;
  });
}

async function starting(folder, tools) {
  const { openRack } = await import("@toolrack/server");
  return cpuMs(() => openRack({ folder, config: {}, tools, environment: {} }));
}

/** Of opening; closing is not part of it. */
async function cpuMs(open) {
  const before = process.cpuUsage();
  const opened = await open();
  const { user, system } = process.cpuUsage(before);
  await opened.close();
  return (user + system) / 1_000;
}
