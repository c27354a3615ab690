import { mkdtempSync, rmSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { tmpdir } from "node:os";
import { join } from "node:path";

const counts = [2_500, 5_000, 10_000, 20_000];
/** For 10,000 tools, in milliseconds of CPU time. Scanning them has 2 s of its own. */
const targets = { first: 5_000, again: 300 };
const scanning = 2_000;

/** What the ledger of definitions costs at the start of a server, on SQLite: CPU time beyond a start without it. */
export async function ledgerTable() {
  // Everything is loaded and compiled once, before anything is measured.
  await measure(500, fromSource);
  const rows = [];
  for (const count of counts)
    rows.push(toRow(`a source with ${count.toLocaleString("en")} tools, scanned`, count, await measure(count, fromSource), scanning));
  rows.push(toRow("a source with 10,000 tools, pinned as they are", 10_000, await measure(10_000, fromPinned)));
  rows.push(toRow("10,000 tools of our own code", 10_000, await measure(10_000, fromCode)));
  return {
    caption:
      "The ledger of definitions on SQLite: CPU time beyond a start without it, and for how long the first start held the event loop at most",
    columns: ["what", "first start", "for each tool", "longest hold", "unchanged start", "target for 10,000", "verdict"],
    rows,
  };
}

function toRow(what, count, { first, again, heldMs }, more = 0) {
  const isMeasured = count === 10_000;
  const isFine = first < targets.first + more && again < targets.again;
  const target = isMeasured ? `< ${targets.first + more} ms, < ${targets.again} ms` : "";
  const each = `${(first / count).toFixed(2)} ms`;
  return [
    what,
    `${Math.round(first)} ms`,
    each,
    `${Math.round(heldMs)} ms`,
    `${Math.round(again)} ms`,
    target,
    !isMeasured ? "" : isFine ? "ok" : "over",
  ];
}

async function measure(count, add) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-bench-"));
  try {
    const tools = await makeTools(count);
    const bare = Math.min(...(await times(2, () => starting(join(folder, "bare"), [], add))).map(({ ms }) => ms));
    // In memory alone: reading and registering the tools, without any record.
    const registered = await registering(tools);
    const first = await starting(join(folder, "full"), tools, add);
    const again = Math.min(...(await times(2, () => starting(join(folder, "full"), tools, add))).map(({ ms }) => ms));
    return { first: first.ms - bare - registered, again: Math.max(0, again - bare - registered), heldMs: first.heldMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function times(count, work) {
  const results = [];
  for (let round = 0; round < count; round++) results.push(await work());
  return results;
}

async function makeTools(count) {
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
  const { ms, opened } = await cpuOf(async () => {
    const registry = createRegistry();
    await registry.addSource(codeSource("tools", tools));
    return registry;
  });
  await opened.close();
  return ms;
}

/** A source that is not ours: its tools are scanned and pinned before they are served. */
const fromSource = {
  config: { sources: { shop: { url: "https://shop.example/mcp" } } },
  own: () => [],
  then: (rack, tools) => rack.registry.addSource({ id: "mcp:shop", identity: "one", list: () => tools }),
};

/** The same, without a look at its words. */
const fromPinned = { ...fromSource, config: { sources: { shop: { url: "https://shop.example/mcp", trust: { first: "pin" } } } } };

const fromCode = { config: {}, own: (tools) => tools, then: () => undefined };

async function starting(folder, tools, { config, own, then }) {
  const { openRack } = await import("@toolrack/server");
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { ms, opened } = await cpuOf(async () => {
    const rack = await openRack({ folder, config, tools: own(tools), environment: {}, startSources: false });
    await then(rack, tools);
    await rack.trust.settled();
    return rack;
  });
  delay.disable();
  await opened.close();
  return { ms, heldMs: delay.max / 1e6 };
}

/** Of opening; closing is not part of it. */
async function cpuOf(open) {
  const before = process.cpuUsage();
  const opened = await open();
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, opened };
}
