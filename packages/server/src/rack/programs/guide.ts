import type { ToolDefinition } from "@toolrack/core";
import { metaToolNames } from "@toolrack/core/search";
import { estimateTokens } from "@toolrack/core/prompt";
import { insideCall } from "./inside-names.ts";
import { runCodeName } from "./run-code.ts";
import { signatureOf } from "./signature.ts";

/** What a model is told about programs: the language, what there is, and as many signatures as fit. */
export function guideFor(tools: readonly ToolDefinition[], usedMost: ReadonlyMap<string, number> = new Map()): string {
  const reachable = tools.filter(({ name }) => name !== runCodeName && !metaToolNames.includes(name));
  const head = [language, finding(reachable.map(({ name }) => name)), groupsOf(reachable)].join("\n");
  const lines: string[] = [];
  let left = maxTokens - estimateTokens(head) - 20;
  // The most used first; where nothing is known, in the order of the list.
  const sorted = [...reachable].sort((a, b) => (usedMost.get(b.name) ?? 0) - (usedMost.get(a.name) ?? 0)).slice(0, maxSignatures);
  for (const tool of sorted) {
    const line = signatureOf(tool, { comments: true, maxLength: 300 });
    const cost = estimateTokens(line) + 1;
    if (cost > left) continue;
    left -= cost;
    lines.push(line);
  }
  if (lines.length === 0) return head;
  const title = lines.length === reachable.length ? "All of them:" : `${lines.length} of them:`;
  return [head, title, ...lines].join("\n");
}

/** All that one list of tools costs. */
const maxTokens = 980;
/** Lists have thousands of tools, and no more than this would fit. */
const maxSignatures = 60;

const language = `Runs a TypeScript program in which tools are async functions, and answers what it returns. Use it for several calls, loops, or large results of which you need a part.
const orders = await Promise.all(input.ids.map((id) => tools.find_order({ id })));
return orders.filter((order) => order.status === "open").length;
- Every tool takes one object and answers data. Names are exact: tools["resolve-id"]({ … }).
- Each call is checked and recorded as if you made it alone; it may wait for a person's approval, and the program waits with it.
- A failed call throws a ToolError with code, tool and retryable; catch it where you can go on.
- Return only what you need. console.log writes to the logs of the result.
- The language: modern JavaScript with types, classes, async, Map, Set, Date, RegExp, JSON, Math. Not there: import, require, fetch, timers, generators, getters, #private, symbols, BigInt, eval.
- Limits: 2 million steps, 32 MB, 50 calls, 64 kB of result and logs.`;

function finding(names: readonly string[]): string {
  const [search, describe] = [insideCall("search", names), insideCall("describe", names)];
  return `Inside a program, without a call: await ${search}("refund an order", { limit: 5 }) answers [{ name, signature, summary }], await ${describe}("name") the whole description with its schema.`;
}

const maxGroups = 25;

/** "120 tools: github__* (30), files (8)". */
function groupsOf(tools: readonly ToolDefinition[]): string {
  const counts = new Map<string, number>();
  for (const { name, metadata } of tools) {
    const prefix = /^(.+?)__/.exec(name)?.[1];
    const group = prefix === undefined ? (metadata?.category ?? "other") : `${prefix}__*`;
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  const shown = sorted.slice(0, maxGroups).map(([group, count]) => `${group.slice(0, 40)} (${count})`);
  const more = sorted.length > maxGroups ? [`${sorted.length - maxGroups} more groups`] : [];
  return `${tools.length} ${tools.length === 1 ? "tool" : "tools"}: ${[...shown, ...more].join(", ")}.`;
}
