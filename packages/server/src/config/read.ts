import path from "node:path";
import { ToolError } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { readAllowedHosts } from "@toolrack/fetch/internal";
import { validateValue } from "@toolrack/json-schema";
import type { RackConfig } from "./config.ts";
import { type Position, readYaml } from "./file/positions.ts";
import { configSchema, configSchemaWithModules } from "./schema.ts";
import { agentNameRefused, nameFault } from "./checks/name-fault.ts";
import { findPlainSecrets } from "./checks/plain-secrets.ts";
import { findPublicUrlFault } from "./checks/public-url.ts";
import { findAgentFault } from "./agents.ts";
import { findStartupFault } from "./jobs.ts";
import { findSourceFault } from "./checks/source-fault.ts";
import { findOpenApiFault } from "./openapi-source.ts";

/** A valid configuration file. */
export interface ReadConfig {
  readonly config: RackConfig;
  /** Absolute; relative paths in the file start from its folder. */
  readonly file: string;
  /** As it was read; empty where there is no file. */
  readonly text: string;
  /** "toolrack.config.yaml:12": the position of a part. */
  originOf(path: readonly (string | number)[]): string;
  /** Valid, but not recommended. */
  readonly warnings: readonly string[];
}

/** An error in the file. */
export interface ConfigIssue extends Position {
  /** "toolrack.config.yaml:4:3 polcy is not a known property. Did you mean policy?" */
  readonly message: string;
}

export type ConfigRead = ({ readonly ok: true } & ReadConfig) | { readonly ok: false; readonly issues: readonly ConfigIssue[] };

/** Reads the text of a configuration file: the configuration, or all errors with line and column. */
export function readConfig(text: string, file: string): ConfigRead {
  const name = path.basename(file);
  const yaml = readYaml(text);
  const issueAt = (position: Position, fact: string): ConfigIssue => ({
    line: position.line,
    column: position.column,
    message: `${name}:${position.line}:${position.column} ${fact}`,
  });
  if (yaml.errors.length > 0)
    return { ok: false, issues: yaml.errors.map((error) => issueAt(error, `${error.message}.`.replace(/\.\.$/, "."))) };
  const value = withEmptyMaps(yaml.value ?? {});
  const checked = validateValue(namesModules(value) ? configSchemaWithModules : configSchema, value);
  if (!checked.ok) {
    const issues = checked.issues.map((issue) =>
      issueAt(yaml.positionOf(fromPointer(issue.path), issue.keyword === "additionalProperties" ? "key" : "value"), issue.message),
    );
    return { ok: false, issues: issues.sort((a, b) => a.line - b.line || a.column - b.column) };
  }
  const config = value as RackConfig;
  const faults = [
    ...storeFaults(config),
    ...agentFaults(config),
    ...runnableFaults(config),
    ...sourceFaults(config),
    ...jwtFaults(config),
    ...publicUrlFaults(config),
    ...listenFaults(config),
    ...startupFaults(config),
    ...recordsFaults(config),
  ];
  if (faults.length > 0) return { ok: false, issues: faults.map(({ at, fact }) => issueAt(yaml.positionOf(at, "key"), fact)) };
  try {
    if (config.policy !== undefined) {
      readPolicyConfig(config.policy, {
        locate: (at) => {
          const { line, column } = yaml.positionOf(["policy", ...at]);
          return `${name}:${line}:${column}`;
        },
      });
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const { position, fact } = splitPosition(error.message, name);
    return { ok: false, issues: [issueAt(position, underPolicy(fact))] };
  }
  return {
    ok: true,
    config: withAbsolutePaths(config, path.dirname(file)),
    file,
    text,
    originOf: (at) => `${name}:${yaml.positionOf(at, "key").line}`,
    warnings: findPlainSecrets(config).map(({ at, fact }) => issueAt(yaml.positionOf(at), fact).message),
  };
}

/** Names of agents that could be mistaken for others. */
function agentFaults({ agents = {}, policy }: RackConfig): readonly { readonly at: readonly string[]; readonly fact: string }[] {
  const named = [
    ...Object.keys(agents).map((name) => ["agents", name]),
    ...Object.keys(policy?.agents ?? {}).map((name) => ["policy", "agents", name]),
  ];
  return named.flatMap((at) => {
    const fault = nameFault(at.at(-1)!);
    return fault === undefined ? [] : [{ at, fact: agentNameRefused(at.slice(0, -1).join("."), at.at(-1)!, fault) }];
  });
}

/** Agents that this server is to run. Their tools are said in one place. */
function runnableFaults({ agents = {}, policy }: RackConfig): readonly Fault[] {
  return Object.entries(agents).flatMap(([id, agent]): Fault[] => {
    const fault = findAgentFault(id, agent);
    if (fault !== undefined) return [{ at: ["agents", id, ...fault.at], fact: fault.fact }];
    if (agent.tools === undefined || !Object.hasOwn(policy?.agents ?? {}, id)) return [];
    return [
      { at: ["agents", id, "tools"], fact: `agents.${id}.tools and policy.agents.${id} both say which tools it has. Keep one of them.` },
    ];
  });
}

/** Modules may add packs, whose names are known once they are loaded. */
function namesModules(value: unknown): boolean {
  const modules = isMap(value) && isMap(value["tools"]) ? value["tools"]["modules"] : undefined;
  return Array.isArray(modules) && modules.length > 0;
}

/** "agents:" without a value is an empty map, so that the lines below it can be commented out. */
function withEmptyMaps(value: unknown): unknown {
  if (!isMap(value)) return value;
  const filled = emptied(value, ["agents", "bundles", "overlays", "sources"]);
  return isMap(filled["policy"]) ? { ...filled, policy: emptied(filled["policy"], ["agents"]) } : filled;
}

function emptied(map: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  const empty = names.filter((name) => Object.hasOwn(map, name) && map[name] === null);
  return empty.length === 0 ? map : { ...map, ...Object.fromEntries(empty.map((name) => [name, {}])) };
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** 'tools.deny (toolrack.config.yaml:3:12) must be a list.' → the position, and the sentence without it. */
function splitPosition(message: string, name: string): { readonly position: Position; readonly fact: string } {
  const start = message.lastIndexOf(` (${name}:`);
  const [location = "", line = "1", column = "1"] = /^.*?:(\d+):(\d+)\)/.exec(start === -1 ? "" : message.slice(start)) ?? [];
  return { position: { line: Number(line), column: Number(column) }, fact: message.replace(location, "") };
}

/** Paths in messages of the policy are relative to it: "tools.deny must be a list." → "policy.tools.deny must be a list." */
function underPolicy(fact: string): string {
  if (fact.startsWith("The configuration ")) return fact.replace("The configuration", "policy");
  if (!fact.startsWith("The condition ")) return `policy.${fact}`;
  return fact.replace(/(?<=^The condition "(?:[^"\\]|\\.)*" at )/, "policy.");
}

/** Makes paths absolute that are read by other parts than the rack. */
function withAbsolutePaths(config: RackConfig, folder: string): RackConfig {
  const jwt = config.signIn?.jwt;
  const { socket, tls } = config.server ?? {};
  const absolute = (file: string): string => path.resolve(folder, file);
  return {
    ...config,
    ...(jwt?.jwksFile !== undefined && { signIn: { ...config.signIn, jwt: { ...jwt, jwksFile: absolute(jwt.jwksFile) } } }),
    ...((socket ?? tls) !== undefined && {
      server: {
        ...config.server,
        ...(socket !== undefined && { socket: absolute(socket) }),
        ...(tls !== undefined && { tls: { cert: absolute(tls.cert), key: absolute(tls.key) } }),
      },
    }),
  };
}

interface Fault {
  readonly at: readonly string[];
  readonly fact: string;
}

/** There is one store. Its value may contain a password, and is not repeated. */
function storeFaults({ store = {} }: RackConfig): readonly Fault[] {
  const engines = (["sqlite", "postgres", "memory"] as const).filter((engine) => store[engine] !== undefined);
  if (engines.length < 2) return [];
  return [{ at: ["store", engines[1]!], fact: `store has both ${engines.join(" and ")}. Keep one of them.` }];
}

function sourceFaults({ sources = {} }: RackConfig): readonly Fault[] {
  return Object.entries(sources).flatMap(([id, source]): Fault[] => {
    const fact = findSourceFault(id, source);
    if (fact === undefined) return [];
    const inside = source.openapi && findOpenApiFault(id, source.openapi);
    return [{ at: ["sources", id, ...(inside?.fact === fact ? ["openapi", ...inside.at] : [])], fact }];
  });
}

function jwtFaults({ signIn }: RackConfig): readonly Fault[] {
  if (signIn?.jwt === undefined || (signIn.jwt.jwksUrl === undefined) !== (signIn.jwt.jwksFile === undefined)) return [];
  return [{ at: ["signIn", "jwt"], fact: "signIn.jwt needs either jwksUrl or jwksFile, for the keys of the issuer." }];
}

function publicUrlFaults({ server }: RackConfig): readonly Fault[] {
  const fact = server?.publicUrl === undefined ? undefined : findPublicUrlFault(server.publicUrl);
  return fact === undefined ? [] : [{ at: ["server", "publicUrl"], fact }];
}

/** Checked as it will be read, so that a wrong entry is reported with its line. */
function recordsFaults({ tools }: RackConfig): readonly Fault[] {
  return (tools?.records?.allowHosts ?? []).flatMap((entry, index): Fault[] => {
    try {
      readAllowedHosts([entry]);
      return [];
    } catch (error) {
      return [{ at: ["tools", "records", "allowHosts", String(index)], fact: `tools.records.allowHosts: ${(error as Error).message}` }];
    }
  });
}

function startupFaults({ startup = {} }: RackConfig): readonly Fault[] {
  const fault = findStartupFault(startup);
  return fault === undefined ? [] : [{ at: ["startup", fault.name, "wait_for"], fact: fault.fact }];
}

function listenFaults({ server = {} }: RackConfig): readonly Fault[] {
  const { socket, tls, timeouts = {} } = server;
  const { headersMs = 30_000, requestMs } = timeouts;
  const faults: Fault[] = [];
  if (socket !== undefined && tls !== undefined)
    faults.push({ at: ["server", "tls"], fact: "server.tls is for an address, and server.socket is a Unix socket. Remove one of them." });
  if (requestMs !== undefined && requestMs < headersMs)
    faults.push({
      at: ["server", "timeouts", "requestMs"],
      fact: `server.timeouts.requestMs must be at least headersMs, which is ${headersMs}: the head is a part of the request.`,
    });
  return faults;
}

function fromPointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
