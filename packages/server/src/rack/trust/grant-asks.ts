import type { AnyTool } from "@toolrack/core";
import { readTool } from "@toolrack/core/internal";

/** What a tool declares that it reaches for beyond its input. */
export interface Asked {
  readonly programs?: readonly string[];
  readonly hosts?: readonly string[];
  readonly readsFiles?: readonly string[];
  readonly writesFiles?: readonly string[];
  readonly permissions?: readonly string[];
  readonly secrets?: readonly string[];
}

/** Undefined for a tool that asks for nothing. What is no tool is reported by the registry. */
export function askedBy(shape: AnyTool): Asked | undefined {
  try {
    const { needs, secrets } = readTool(shape).metadata ?? {};
    if (needs === undefined && secrets === undefined) return undefined;
    const { programs, hosts, files, permissions } = needs ?? {};
    const all = { programs, hosts, readsFiles: files?.read, writesFiles: files?.write, permissions, secrets };
    const some = Object.entries(all).filter(([, names]) => names !== undefined && names.length > 0);
    return some.length === 0 ? undefined : (Object.fromEntries(some) as Asked);
  } catch {
    return undefined;
  }
}

/** Without hosts, and without the secrets that are given already; undefined if nothing is left. */
export function askedBeyond(asked: Asked | undefined, given: ReadonlySet<string>): Asked | undefined {
  const { hosts: _, secrets = [], ...rest } = asked ?? {};
  const others = secrets.filter((name) => !given.has(name));
  const left: Asked = { ...rest, ...(others.length > 0 && { secrets: others }) };
  return Object.keys(left).length === 0 ? undefined : left;
}

/** "programs git; secrets GITHUB_TOKEN" */
export function askedText(asked: Asked): string {
  return Object.entries(asked)
    .map(([kind, names]) => `${words[kind as keyof Asked]} ${(names as readonly string[]).join(", ")}`)
    .join("; ");
}

/** "programs, secrets" */
export function askedKinds(asked: Asked): string {
  return Object.keys(asked)
    .map((kind) => words[kind as keyof Asked])
    .join(", ");
}

const words: Readonly<Record<keyof Asked, string>> = {
  programs: "programs",
  hosts: "network hosts",
  readsFiles: "reading files",
  writesFiles: "writing files",
  permissions: "permissions",
  secrets: "secrets",
};
