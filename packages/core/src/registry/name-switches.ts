import { loadSemver } from "#semver";
import { normalizeToolName } from "../tool/name.ts";
import { governedNames } from "../tool/registered.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/** Tool → why it is disabled. "name@range" is about versions in the range alone. */
export type DisabledNames = ReadonlyMap<string, string>;

/** The tools that are disabled by name, whether they are there yet or not. */
export interface NameSwitches {
  /** Answers whether this changed anything. */
  set(disabled: DisabledNames): boolean;
  /** Why a tool is disabled, under any of its names. */
  reasonFor(tool: ToolDefinition): string | undefined;
}

export function createNameSwitches(isTaken: (name: string) => boolean): NameSwitches {
  let disabled: DisabledNames = new Map();
  let byNormalized = new Map<string, string[]>();
  return {
    set(next) {
      if (disabled.size === next.size && [...next].every(([name, reason]) => disabled.get(name) === reason)) return false;
      disabled = new Map(next);
      byNormalized = new Map();
      for (const name of disabled.keys()) {
        const key = normalizeToolName(partsOf(name).name);
        byNormalized.set(key, [...(byNormalized.get(key) ?? []), name]);
      }
      return true;
    },
    reasonFor(tool) {
      if (disabled.size === 0) return undefined;
      for (const own of governedNames(tool)) {
        const found = byNormalized.get(normalizeToolName(own))?.find((name) => isSwitchOf(name, tool, isTaken));
        if (found !== undefined) return disabled.get(found);
      }
      return undefined;
    },
  };
}

/** Whether a disabled name is about a tool: in any case of letters. "bash" is about "exec", too, unless there is a tool "bash". */
export function isSwitchOf(disabled: string, tool: ToolDefinition, isTaken: (name: string) => boolean): boolean {
  const { name, range } = partsOf(disabled);
  if (range !== undefined && !isInRange(tool, range)) return false;
  const names = governedNames(tool);
  if (names.some((own) => fold(own) === fold(name))) return true;
  return names.some((own) => normalizeToolName(own) === normalizeToolName(name)) && !isTaken(name);
}

function partsOf(disabled: string): { readonly name: string; readonly range?: string } {
  const at = disabled.indexOf("@");
  return at > 0 ? { name: disabled.slice(0, at), range: disabled.slice(at + 1) } : { name: disabled };
}

function isInRange({ version }: ToolDefinition, range: string): boolean {
  return version !== undefined && loadSemver().satisfies(version, range);
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
