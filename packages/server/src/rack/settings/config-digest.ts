import { createHash } from "node:crypto";
import path from "node:path";
import { canonicalJson } from "@toolrack/store";
import type { RackConfig, SignInConfig, SourceConfig, ToolsConfig } from "../../config/config.ts";
import { toShownSource } from "../../config/shown-source.ts";

/** Section of the configuration → a digest of what it says: "policy" → "3f9a0c51b2d7". */
export type ConfigDigest = Readonly<Record<string, string>>;

/**
 * Digests of the sections that affect calls and callers, so that the servers of a store can compare them. Addresses, paths, the store and the log are left out:
 * they differ between machines for good reasons. Values of variables and headers are left out because they may be secrets.
 */
export function digestConfig(config: RackConfig, disabled: Iterable<string>): ConfigDigest {
  const { policy, agents, bundles, sources, overlays, limits, approvals, redaction, audit, signIn, server, tools } = config;
  const sections: Readonly<Record<string, unknown>> = {
    policy,
    agents,
    approvals,
    tools: toolsOf(tools, disabled),
    sources: sources && Object.fromEntries(Object.entries(sources).map(([id, source]) => [id, portableSource(source)])),
    overlays,
    limits: [limits ?? {}, server?.limits ?? {}],
    signIn: [signInOf(signIn), server?.requireSignIn ?? false],
    bundles,
    redaction,
    audit,
  };
  return Object.fromEntries(Object.entries(sections).map(([name, value]) => [name, digestOf(value)]));
}

/** One digest for all sections: "3f9a0c51". */
export function digestOfAll(sections: ConfigDigest): string {
  return digestOf(sections).slice(0, 8);
}

/** A missing section equals an empty one. */
function digestOf(value: unknown): string {
  return createHash("sha256")
    .update(canonicalJson(plain(value ?? {})))
    .digest("hex")
    .slice(0, 12);
}

function plain(value: unknown): Parameters<typeof canonicalJson>[0] {
  return JSON.parse(JSON.stringify(value)) as Parameters<typeof canonicalJson>[0];
}

function toolsOf(tools: ToolsConfig | undefined, disabled: Iterable<string>): unknown {
  return {
    packs: Object.fromEntries(Object.entries(tools?.packs ?? {}).map(([name, options]) => [name, withoutPaths(options)])),
    modules: (tools?.modules ?? []).map((specifier) => path.basename(specifier)),
    disabled: [...disabled].sort(),
    actions: tools?.actions,
    plugins: tools?.plugins?.allow,
    records: tools?.records,
    outputValidation: tools?.outputValidation,
    repairInputs: tools?.repairInputs,
    aliases: tools?.aliases,
  };
}

/** What a source starts or talks to, without credentials and without paths of this machine. */
export function portableSource({ cwd: _cwd, command, ...source }: SourceConfig): Readonly<Record<string, unknown>> {
  return toShownSource({ ...source, ...(command !== undefined && { command: path.basename(command) }) });
}

function signInOf(signIn: SignInConfig | undefined): unknown {
  if (signIn?.jwt === undefined) return {};
  const { jwksFile: _file, ...jwt } = signIn.jwt;
  return jwt;
}

/** Options of packs that are paths of this machine. */
const pathOptions: ReadonlySet<string> = new Set(["root", "folder", "file", "path"]);

function withoutPaths(options: unknown): unknown {
  if (typeof options !== "object" || options === null) return options;
  return Object.fromEntries(Object.entries(options).filter(([name]) => !pathOptions.has(name)));
}
