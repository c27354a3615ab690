import type { EventListener, Registry, ToolDefinition } from "@toolrack/core";
import { normalizeToolName } from "@toolrack/core/compat";
import { governedNames, registrationOf } from "@toolrack/core/internal";

/** Enables and disables the tools of a registry according to the settings, also tools that are added later. */
export function followToolSwitches(registry: Registry, wanted: () => ReadonlyMap<string, string>): { apply(): void; close(): void } {
  /** By the names that tools have here. */
  let applied = new Map<string, string>();

  function apply(): void {
    const now = new Map(wanted());
    if (now.size > 0) for (const tool of registry.view({}).known) if (registrationOf(tool) !== undefined) addSwitch(now, tool);
    for (const name of applied.keys()) if (!now.has(name) && registry.has(name)) registry.enable(name);
    for (const [name, reason] of now) if (registry.has(name)) registry.disable(name, reason);
    applied = now;
    // Subscribed only while needed: with a listener, every call pays for its events.
    if (now.size > 0) registry.subscribe(onEvent);
    else registry.unsubscribe(onEvent);
  }

  /** A switch of any of its names is about the tool. */
  function addSwitch(switches: Map<string, string>, tool: ToolDefinition): void {
    for (const name of governedNames(tool)) {
      const reason = wanted().get(name) ?? otherSpelling(name);
      if (reason !== undefined) switches.set(tool.name, reason);
    }
  }

  /** "bash" is about "exec", unless there is a tool "bash". */
  function otherSpelling(own: string): string | undefined {
    const normalized = normalizeToolName(own);
    const found = [...wanted()].find(([name]) => normalizeToolName(name) === normalized && registry.get(name)?.name !== name);
    return found?.[1];
  }

  const onEvent: EventListener = (event) => {
    if (event.type !== "tool-added" && event.type !== "tool-changed") return;
    const tool = registry.get(event.tool);
    const before = applied.get(event.tool);
    applied.delete(event.tool);
    if (tool !== undefined) addSwitch(applied, tool);
    const reason = applied.get(event.tool);
    if (reason !== undefined) registry.disable(event.tool, reason);
    else if (before !== undefined && tool !== undefined) registry.enable(event.tool);
  };
  return { apply, close: () => registry.unsubscribe(onEvent) };
}
