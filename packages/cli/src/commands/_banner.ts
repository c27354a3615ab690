import { counted } from "../print/counted.ts";
import type { Rack } from "@toolrack/server";
import { nameList } from "../print/did-you-mean.ts";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { safe } from "../print/safe.ts";
import type { Style } from "../print/style.ts";
import { failedSourceLines } from "./_failed-sources.ts";

/** The tools that are served: those of the packs, and all others. */
export interface ServedTools {
  readonly builtIn: number;
  readonly own: readonly string[];
}

export function servedTools({ registry }: Pick<Rack, "registry">): ServedTools {
  const served = new Set(registry.list().map(({ name }) => name));
  const entries = registry.entries().filter(({ tool }) => served.has(tool.name));
  const own = entries.filter(({ source }) => source !== "packs").map(({ tool }) => tool.name);
  return { builtIn: entries.length - own.length, own };
}

/** "Toolrack is serving 2 tools of yours (add, greet) and 10 built-in tools." */
export function servingLine({ builtIn, own }: ServedTools, style: Style): string {
  const parts = [
    ...(own.length === 0 ? [] : [`${counted(own.length, "tool")} of yours (${nameList(own)})`]),
    ...(builtIn === 0 && own.length > 0 ? [] : [counted(builtIn, "built-in tool")]),
  ];
  return `${style.good("Toolrack is serving")} ${parts.join(" and ")}.`;
}

export interface ClientFacts {
  readonly url: string;
  /** The agents that the configuration lists, and that a key can be made for. */
  readonly agents: readonly string[];
  /** How many tools callers without a key have; undefined where everyone has to sign in. */
  readonly anonymousTools: number | undefined;
  /** "toolrack", with what names the same configuration. */
  readonly program: string;
}

/** What to add to an MCP client, with the key that it needs, for an agent that there is. */
export function clientLines({ url, agents, anonymousTools, program }: ClientFacts): readonly string[] {
  const snippet = JSON.stringify({ mcpServers: { toolrack: { type: "http", url, headers: { Authorization: "Bearer <key>" } } } });
  const [agent] = agents;
  const anonymous =
    anonymousTools === undefined || anonymousTools === 0
      ? []
      : [`Without the header, a client on this machine is "anonymous" and has ${counted(anonymousTools, "tool")}, until a key is created.`];
  if (agent === undefined)
    return [
      "To connect an MCP client, list an agent that has tools in the configuration first; there is none yet. For example:",
      "  agents: { assistant: { description: My assistant } }",
      `Create its key with: ${program} keys create assistant`,
      "Then add to the client:",
      `  ${snippet}`,
      ...anonymous,
    ];
  const others = agents.length === 1 ? "" : ` (or for ${nameList(agents.slice(1))})`;
  return [
    `To connect an MCP client as "${safe(agent)}", create a key${others}: ${program} keys create ${shellWord(safe(agent))}`,
    "Add to the client, with that key:",
    `  ${snippet}`,
    `Or let the command write the entry of the client, with its own key or none: npx toolrack connect claude-desktop --agent ${shellWord(safe(agent))}`,
    ...anonymous,
  ];
}

/** Commands that work with what is served. */
export function trialLines(program: string, { own }: ServedTools, { registry }: Pick<Rack, "registry">): readonly string[] {
  const call = registry.get("random") !== undefined ? "random min=1 max=6" : undefined;
  if (call !== undefined)
    return ["Try a call, then see why it was allowed:", `  ${program} call ${call}`, `  ${program} policy explain random`];
  const [first] = own;
  return first === undefined ? [] : ["See a tool, and how to call it:", `  ${program} show ${shellWord(safe(first))}`];
}

/** Tools and modules that were left out, with the reason. */
export function leftOutLines({ sources }: Pick<Rack, "sources">): readonly string[] {
  const all = sources.list();
  const lines = [
    ...failedSourceLines(all),
    ...all.flatMap(({ id, problems }) => problems.map((problem) => `${safe(id)}: ${safe(problem)}`)),
  ];
  return lines.length === 0 ? [] : ["Not everything is served; see: toolrack doctor", ...lines.map((line) => `  ${line}`)];
}
