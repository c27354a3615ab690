import { hasFiles, nodeOs, nodePath } from "#platform";
import { isProgram } from "../util/is-program.ts";

/** Says whether something that tools need is there: a program, a key in the environment, a network. */
export interface Capabilities {
  /** Whether a check for this name exists; a tool that requires an unknown one is refused at registration. */
  knows(name: string): boolean;
  has(name: string): boolean;
  /** What to do about a missing one: "Install git and put it on the PATH." */
  remedy(name: string): string;
  names(): readonly string[];
}

export interface CapabilityCheck {
  has(): boolean;
  readonly remedy: string;
}

export interface CapabilityOptions {
  /** Checks of your own, by name. */
  readonly checks?: Readonly<Record<string, CapabilityCheck | (() => boolean)>>;
  /** Answers that win over every check, for tests and for operators who know better. */
  readonly overrides?: Readonly<Record<string, boolean>>;
}

/**
 * Besides the named checks, "binary:<program>" asks for a program on the PATH and "env:<NAME>" for a variable of the
 * environment. Answers follow the environment as it is now.
 */
export function createCapabilities(options: CapabilityOptions = {}): Capabilities {
  const overrides = new Map(Object.entries(options.overrides ?? {}));
  const checks = new Map<string, CapabilityCheck>(standardChecks());
  for (const [name, check] of Object.entries(options.checks ?? {})) {
    checks.set(name, typeof check === "function" ? { has: check, remedy: `Provide the capability "${name}".` } : check);
  }
  const checkOf = (name: string): CapabilityCheck | undefined => checks.get(name) ?? patternCheck(name);
  return {
    knows: (name) => overrides.has(name) || checkOf(name) !== undefined,
    has: (name) => overrides.get(name) ?? checkOf(name)?.has() ?? false,
    remedy: (name) => checkOf(name)?.remedy ?? `Provide the capability "${name}".`,
    names: () => [...new Set([...checks.keys(), ...overrides.keys()])],
  };
}

/** What tools need that an MCP server marks for its views alone. */
export const viewCapability = "mcp_view";

function* standardChecks(): Generator<[string, CapabilityCheck]> {
  for (const program of ["git", "bash", "rg", "node", "npm", "python3", "docker", "ollama", "whisper"]) yield [program, onPath(program)];
  yield ["network", { has: hasNetwork, remedy: "Connect this machine to a network." }];
  yield ["github_api", inEnvironment("GITHUB_TOKEN")];
  yield ["gitlab_api", inEnvironment("GITLAB_TOKEN")];
  yield ["notion_api", inEnvironment("NOTION_TOKEN")];
  yield [viewCapability, { has: () => false, remedy: "Its server marks it for its own views, not for models, and no view runs here." }];
}

function patternCheck(name: string): CapabilityCheck | undefined {
  if (name.startsWith("binary:") && name.length > 7) return onPath(name.slice(7));
  if (name.startsWith("env:") && name.length > 4) return inEnvironment(name.slice(4));
  return undefined;
}

/** Empty in browsers and workers. */
function environment(): Readonly<Record<string, string | undefined>> {
  return globalThis.process?.env ?? {};
}

function inEnvironment(variable: string): CapabilityCheck {
  return { has: () => Boolean(environment()[variable]), remedy: `Set the environment variable ${variable}.` };
}

/** Looked up once for each value of PATH: lists are asked for often, programs are installed rarely. */
function onPath(program: string): CapabilityCheck {
  if (!hasFiles) return { has: () => false, remedy: "Programs can be run only in Node, Bun and Deno." };
  let known: { readonly path: string | undefined; readonly found: boolean } | undefined;
  return {
    has() {
      const path = environment()["PATH"];
      if (known === undefined || known.path !== path) known = { path, found: findOnPath(program, path ?? "") };
      return known.found;
    },
    remedy: `Install ${program} and put it on the PATH.`,
  };
}

function findOnPath(program: string, path: string): boolean {
  if (/[\\/\0]/.test(program)) return false;
  const endings = process.platform === "win32" ? (environment()["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";") : [""];
  return path
    .split(nodePath.delimiter)
    .some((folder) => folder !== "" && endings.some((ending) => isProgram(nodePath.join(folder, program + ending))));
}

function hasNetwork(): boolean {
  if (!hasFiles) return (globalThis as { navigator?: { readonly onLine?: boolean } }).navigator?.onLine !== false;
  return Object.values(nodeOs.networkInterfaces()).some((addresses) => addresses?.some((address) => !address.internal));
}
