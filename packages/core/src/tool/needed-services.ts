import type { ToolDefinition } from "./tool.ts";

/**
 * Why a tool cannot work with these services: 'Tool "find" needs the service "db", and this registry has only cache, log.'
 * Undefined if every service is there that the tool declares in `metadata.services`.
 */
export function missingService(tool: ToolDefinition, services: unknown, holder: string): string | undefined {
  const given = typeof services === "object" && services !== null ? (services as Record<string, unknown>) : {};
  const missing = tool.metadata?.services?.find((name) => !isThere(given, name));
  if (missing === undefined) return undefined;
  const names = Object.keys(given).filter((name) => isThere(given, name));
  const fact = names.length === 0 ? "no services" : `only ${names.join(", ")}`;
  return `Tool "${tool.name}" needs the service "${missing}", and ${holder} has ${fact}.`;
}

/** A getter counts without being called, because it may open something. A proxy may have members that it does not list. */
function isThere(services: Record<string, unknown>, name: string): boolean {
  for (let owner: object | null = services; owner !== null && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    if (property !== undefined) return property.get !== undefined || property.value !== undefined;
  }
  return !(name in Object.prototype) && services[name] !== undefined;
}
