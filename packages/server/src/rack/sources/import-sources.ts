import { shellWord } from "@toolrack/core/internal/shell-word";
import { ToolError } from "@toolrack/core";
import type { McpSourceOptions } from "@toolrack/mcp";
import { loadingVariable } from "../../config/checks/loading-variables.ts";
import type { SourceConfig } from "../../config/config.ts";
import { credentialRemedy, plainCredentialsIn } from "../../config/shown-source.ts";
import type { Author } from "../audit/author.ts";
import type { Rack } from "../rack.ts";
import { readServerFile, type ServerFileFormat } from "./read-server-file.ts";
import { createForeignPlaceholders, type UsedVariable, withOwnSecrets } from "./foreign-references.ts";
import { startedBelow } from "./relative-paths.ts";
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
  /** The given variables whose values it gets, and where they go. */
  readonly variables: readonly UsedVariable[];
  readonly state?: string;
  readonly identity?: string;
}

export interface ImportOptions {
  readonly text: string;
  readonly format?: ServerFileFormat | undefined;
  /** What "${env:NAME}" stands for. The file gets these variables, and no others. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Variables that it may set although they decide what code runs: "NODE_OPTIONS". */
  readonly allowVariables?: readonly string[] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly replace?: boolean | undefined;
  readonly allowUnpinned?: boolean | undefined;
  readonly allowHosts?: readonly string[] | undefined;
  /** Where relative paths of its programs begin. @default the folder of the configuration */
  readonly folder?: string | undefined;
  readonly dryRun?: boolean | undefined;
}

type Show = (config: SourceConfig) => Readonly<Record<string, unknown>>;
type Importing = Pick<Rack, "settings" | "secrets" | "sources">;

/** Adds the MCP servers of a client's file as sources, one after the other; one that fails stops no other. */
export async function importSources(rack: Importing, options: ImportOptions, by: Author, show: Show): Promise<readonly ImportedSource[]> {
  const { text, format, variables = {}, only } = options;
  const placeholders = createForeignPlaceholders(variables);
  const { servers, skipped } = await readServerFile(text, format, { resolve: placeholders.resolve });
  const isWanted = (name: string): boolean => only === undefined || only.includes(name);
  const unknown = (only ?? []).filter((name) => ![...servers, ...skipped].some((server) => server.name === name));
  const results: ImportedSource[] = [];
  for (const server of servers)
    if (isWanted(server.name)) results.push(await importOne(rack, server, options, placeholders.usedBy(server), by, show));
  for (const { name, reason, isFault } of skipped)
    if (isWanted(name)) results.push({ name, outcome: isFault ? "failed" : "skipped", reason, ...nothing });
  for (const name of unknown) results.push({ name, outcome: "failed", reason: "the file has no server of this name", ...nothing });
  return results;
}

const nothing = { secrets: [], missing: [], variables: [] } as const;

async function importOne(
  rack: Importing,
  { name, ...given }: McpSourceOptions,
  { replace = false, allowUnpinned, allowHosts, allowVariables = [], folder, dryRun = false }: ImportOptions,
  variables: readonly UsedVariable[],
  by: Author,
  show: Show,
): Promise<ImportedSource> {
  const isProgram = "command" in given;
  const own = withOwnSecrets(name, {
    ...(folder === undefined ? (given as SourceConfig) : startedBelow(folder, given as SourceConfig)),
    ...(isProgram && allowUnpinned === true && { allowUnpinned }),
    ...(!isProgram && allowHosts !== undefined && { allowHosts }),
  });
  if ("fault" in own) return { name, outcome: "failed", reason: own.fault, ...nothing };
  const { config, secrets } = withStoredSecrets(name, own.config);
  const facts = { name, config: show(config), secrets: [...secrets.keys()], missing: own.missing, variables };
  const failed = (reason: string): ImportedSource => ({ ...facts, outcome: "failed", reason });
  const plain = plainCredentialsIn(config);
  if (plain.length > 0) return failed(`it has a credential in ${plain.join(", ")}. ${credentialRemedy}`);
  const loading = Object.keys(config.env ?? {}).filter((one) => loadingVariable.test(one) && !allowVariables.includes(one));
  if (loading.length > 0)
    return failed(
      `it sets ${loading.join(", ")}, which can change what code runs. If that is meant, allow it with ${loading.map((one) => `--allow-variable ${one}`).join(" ")}`,
    );
  const known = new Set((await rack.secrets.list()).map((secret) => secret.name));
  const before = rack.settings.get(`sources.${name}`);
  if (before !== undefined && JSON.stringify(before.value) === JSON.stringify(config))
    return { ...facts, missing: own.missing.filter((secret) => !known.has(secret)), outcome: "skipped", reason: "it is there already" };
  if (before !== undefined && !replace)
    return failed(`another source is called "${name}" already. Replace it with --replace, or rename one of them`);
  // The file would decide where a secret goes that somebody set for another purpose.
  const foreign = own.missing.find((secret) => known.has(secret));
  if (foreign !== undefined)
    return failed(
      `it would get the secret "${foreign}", which exists already. Remove that with \`toolrack secrets remove ${shellWord(foreign)}\`, and set it again after the import`,
    );
  const taken = [...secrets.keys()].find((secret) => known.has(secret));
  if (taken !== undefined && !replace) return failed(`the secret "${taken}" exists already. Overwrite it with --replace`);
  // Values that become secrets may name files, too.
  const fault = rack.sources.faultOf(name, config) ?? rack.sources.startFaultOf(name, own.config);
  if (fault !== undefined) return failed(fault);
  const unfit = [...secrets].find(([secret, value]) => secret.length > 128 || value.length > 65_536)?.[0];
  if (unfit !== undefined) return failed(`the secret "${unfit}" would have more than 128 characters in its name, or 65,536 in its value`);
  try {
    // A plan promises nothing that the settings would refuse.
    rack.settings.preview({ [`sources.${name}`]: config });
    if (dryRun) return { ...facts, outcome: "planned" };
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
