import { ToolError } from "@toolrack/core";
import type { McpSourceOptions } from "@toolrack/mcp";
import type { SourceConfig } from "../../config/config.ts";
import { credentialRemedy, plainCredentialsIn } from "../../config/shown-source.ts";
import type { Author } from "../audit/author.ts";
import type { Rack } from "../rack.ts";
import { readServerFile, type ServerFileFormat } from "./read-server-file.ts";
import { withStoredSecrets } from "./stored-secrets.ts";

/** What became of one server of a file. */
export interface ImportedSource {
  readonly name: string;
  readonly outcome: "added" | "replaced" | "planned" | "skipped" | "failed";
  /** Why it was skipped, or failed. */
  readonly reason?: string;
  /** As it is shown: without credentials. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Names of the secrets that hold its credentials. */
  readonly secrets: readonly string[];
  /** Names of secrets that it needs and that are not set. */
  readonly missing: readonly string[];
  readonly state?: string;
  readonly identity?: string;
}

export interface ImportOptions {
  readonly text: string;
  readonly format?: ServerFileFormat | undefined;
  /** What "${env:NAME}" stands for outside of "env" and "headers". */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  readonly only?: readonly string[] | undefined;
  readonly replace?: boolean | undefined;
  readonly allowUnpinned?: boolean | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  readonly dryRun?: boolean | undefined;
}

type Show = (config: SourceConfig) => Readonly<Record<string, unknown>>;
type Importing = Pick<Rack, "settings" | "secrets" | "sources">;

/** Adds the MCP servers of a client's file as sources, one after the other; one that fails stops no other. */
export async function importSources(rack: Importing, options: ImportOptions, by: Author, show: Show): Promise<readonly ImportedSource[]> {
  const { text, format, variables = {}, only } = options;
  const known = new Set((await rack.secrets.list()).map(({ name }) => name));
  const { servers, skipped } = await readServerFile(text, format, { env: variables, unknownVariables: "secret" });
  const isWanted = (name: string): boolean => only === undefined || only.includes(name);
  const unknown = (only ?? []).filter((name) => ![...servers, ...skipped].some((server) => server.name === name));
  const results: ImportedSource[] = [];
  for (const server of servers) if (isWanted(server.name)) results.push(await importOne(rack, server, options, known, by, show));
  for (const { name, reason, isFault } of skipped)
    if (isWanted(name)) results.push({ name, outcome: isFault ? "failed" : "skipped", reason, secrets: [], missing: [] });
  for (const name of unknown)
    results.push({ name, outcome: "failed", reason: "the file has no server of this name", secrets: [], missing: [] });
  return results;
}

async function importOne(
  rack: Importing,
  { name, ...given }: McpSourceOptions,
  { replace = false, allowUnpinned, allowHosts, dryRun = false }: ImportOptions,
  known: ReadonlySet<string>,
  by: Author,
  show: Show,
): Promise<ImportedSource> {
  const isProgram = "command" in given;
  const whole = {
    ...(given as SourceConfig),
    ...(isProgram && allowUnpinned === true && { allowUnpinned }),
    ...(!isProgram && allowHosts !== undefined && { allowHosts }),
  };
  const { config, secrets } = withStoredSecrets(name, whole);
  const facts = { name, config: show(config), secrets: [...secrets.keys()], missing: missingIn(whole, known) };
  const failed = (reason: string): ImportedSource => ({ ...facts, outcome: "failed", reason });
  const plain = plainCredentialsIn(whole);
  if (plain.length > 0) return failed(`it has a credential in ${plain.join(", ")}. ${credentialRemedy}`);
  const before = rack.settings.get(`sources.${name}`);
  if (before !== undefined && JSON.stringify(before.value) === JSON.stringify(config))
    return { ...facts, outcome: "skipped", reason: "it is there already" };
  if (before !== undefined && !replace)
    return failed(`another source is called "${name}" already. Replace it with --replace, or rename one of them`);
  const fault = rack.sources.faultOf(name, config);
  if (fault !== undefined) return failed(fault);
  if (dryRun) return { ...facts, outcome: "planned" };
  try {
    for (const [secret, value] of secrets) await rack.secrets.set(secret, value, { by });
    await rack.settings.set(`sources.${name}`, config, by);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    return failed(error.message);
  }
  const { state, identity } = rack.sources.list().find(({ id }) => id === name) ?? {};
  return {
    ...facts,
    outcome: before === undefined ? "added" : "replaced",
    ...(state !== undefined && { state }),
    ...(identity !== undefined && { identity }),
  };
}

/** "${secret:token}" names a secret that somebody has to set. */
function missingIn({ env = {}, headers = {} }: SourceConfig, known: ReadonlySet<string>): readonly string[] {
  const named = [...Object.values(env), ...Object.values(headers)].flatMap((value) => [...value.matchAll(/\$\{secret:([^}]+)\}/g)]);
  return [...new Set(named.map(([, secret]) => secret!))].filter((secret) => !known.has(secret));
}
