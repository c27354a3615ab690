import type { EventListener, Registry } from "@toolrack/core";

/** Enables and disables the tools of a registry according to the settings, also tools that are added later. */
export function followToolSwitches(registry: Registry, wanted: () => ReadonlyMap<string, string>): { apply(): void; close(): void } {
  let applied = new Map<string, string>();

  function apply(): void {
    const now = new Map(wanted());
    for (const name of applied.keys()) if (!now.has(name) && registry.has(name)) registry.enable(name);
    for (const [name, reason] of now) if (registry.has(name)) registry.disable(name, reason);
    applied = now;
    // Subscribed only while needed: with a listener, every call pays for its events.
    if (now.size > 0) registry.subscribe(onEvent);
    else registry.unsubscribe(onEvent);
  }

  const onEvent: EventListener = (event) => {
    if (event.type === "tool-added" && applied.has(event.tool)) registry.disable(event.tool, applied.get(event.tool));
  };
  return { apply, close: () => registry.unsubscribe(onEvent) };
}
