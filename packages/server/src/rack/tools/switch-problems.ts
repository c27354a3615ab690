import type { Registry } from "@toolrack/core";
import { isSwitchOf } from "@toolrack/core/internal";

/** Disabled versions that no tool has now. A name alone may be about a tool that comes later. */
export function switchProblems(registry: Pick<Registry, "entries">, disabled: ReadonlyMap<string, string>): readonly string[] {
  const versions = [...disabled.keys()].filter((name) => name.includes("@"));
  if (versions.length === 0) return [];
  const tools = registry.entries().map(({ tool }) => tool);
  const isTaken = (name: string): boolean => tools.some((tool) => tool.name === name);
  return versions
    .filter((name) => !tools.some((tool) => isSwitchOf(name, tool, isTaken)))
    .map((name) => {
      const bare = name.slice(0, name.indexOf("@"));
      return `The disabled "${name}" is the version of no tool that is there now, so it disables nothing. Check the version, or disable "${bare}" in all versions.`;
    });
}
