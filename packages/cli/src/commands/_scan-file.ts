import { isObject } from "@toolrack/core/internal";
import { CommandError } from "../errors.ts";
import { definitionsIn, readJsonFile, recordedIn, serversIn } from "./_json-definitions.ts";

/** What was read from a file, ready to be scanned. */
export interface FoundDefinitions {
  readonly definitions: readonly {
    readonly source: string;
    readonly definition: unknown;
    /** What stands around it. */
    readonly around?: unknown;
  }[];
  /** Servers that were not asked, with the reason. */
  readonly notAsked: readonly { readonly server: string; readonly reason: string }[];
}

export interface ScanFileOptions {
  /** Start or call the servers of a client's file. */
  readonly connect: boolean;
  /** Hosts that may be reached although their address is private. */
  readonly allowHosts: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The definitions of a module, of a file with definitions in JSON, or of the servers in a client's file. Nothing is started without `connect`. */
export async function definitionsOf(file: string, folder: string, options: ScanFileOptions): Promise<FoundDefinitions> {
  if (/\.(?:[mc]?js|m?ts)$/.test(file)) return await ofModule(file, folder);
  const { text, value } = await readJsonFile(file, folder);
  const definitions = definitionsIn(value).map((one) => fromJson(file, one));
  const servers = serversIn(value);
  const found = servers && (await ofServers(text, servers, { ...options, folder }));
  if (definitions.length === 0 && found === undefined && !Array.isArray(value))
    throw new CommandError(
      "usage",
      `${file} has no definitions of tools. Give a list of them, an object with "tools", one definition with a "name", a record of one, or an mcp.json.`,
    );
  return { definitions: [...definitions, ...(found?.definitions ?? [])], notAsked: found?.notAsked ?? [] };
}

/** Title, tags and whatever else a record has around its definition can speak to a model, too. */
function fromJson(source: string, value: unknown): FoundDefinitions["definitions"][number] {
  const recorded = recordedIn(value);
  if (recorded === undefined) return { source, definition: value };
  const { context: _, ...around } = value as Readonly<Record<string, unknown>>;
  return { source, definition: recorded, around };
}

async function ofModule(file: string, folder: string): Promise<FoundDefinitions> {
  const { readToolFile } = await import("@toolrack/server/local");
  const { tools, refusal } = await readToolFile(file.replace(/^\.[/\\]/, ""), folder).catch((error: unknown) => {
    throw new CommandError("usage", (error as Error).message);
  });
  if (refusal !== undefined) throw new CommandError("failed", refusal);
  return { definitions: tools.map(({ shape }) => ({ source: file, definition: shape })), notAsked: [] };
}

/** The entries themselves: their names, programs and texts; and, if wanted, the tools that the servers list. */
async function ofServers(
  text: string,
  entries: Readonly<Record<string, unknown>>,
  { connect, allowHosts, environment, signal, folder }: ScanFileOptions & { readonly folder: string },
): Promise<FoundDefinitions> {
  const definitions: { source: string; definition: unknown }[] = Object.entries(entries).map(([name, entry]) => ({
    source: name,
    definition: { ...(isObject(entry) ? entry : {}), name },
  }));
  if (!connect)
    return {
      definitions,
      notAsked: Object.keys(entries).map((server) => ({ server, reason: "its tools are listed only with --connect" })),
    };
  const { mcpSource, readMcpJson, upstreamToolOf } = await import("@toolrack/mcp");
  const { servers, skipped } = readMcpJson(text, { env: environment });
  const notAsked = skipped.map(({ name, reason }) => ({ server: name, reason }));
  for (const options of servers) {
    const more = { prompts: true, resources: true };
    const source = mcpSource("command" in options ? { cwd: folder, ...options, ...more } : { ...options, allowHosts, ...more });
    try {
      for (const tool of await source.list({ signal })) {
        const definition = upstreamToolOf(tool as Parameters<typeof upstreamToolOf>[0])?.definition ?? tool;
        definitions.push({ source: options.name, definition });
      }
      for (const { kind, name, definition } of source.texts())
        definitions.push({ source: options.name, definition: { ...definition, name: kind === "instructions" ? kind : `${kind} ${name}` } });
    } catch (error) {
      const reason = (error as Error).message;
      const hint = reason.includes("allowHosts") ? " Here: --allow-host and the host, if it is meant." : "";
      notAsked.push({ server: options.name, reason: `${reason}${hint}` });
    } finally {
      await source.close();
    }
  }
  return { definitions, notAsked };
}
