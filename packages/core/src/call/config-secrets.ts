import { jsonEquals } from "@toolrack/json-schema";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { ToolFailure } from "../tool/result.ts";
import { type CallState, readSecret } from "./context.ts";

/**
 * Replaces the references `secret:<name>` in a tool's configuration, and in the input values that come from it, by secrets. Only the
 * handler sees them: hooks, approvals and records keep the references. Resolves with a failure if a reference cannot be resolved; returns
 * undefined if there are none.
 */
export function resolveConfig(call: CallState): undefined | Promise<ToolFailure | undefined> {
  const config = call.config;
  const names = new Set<string>();
  collectReferences(config, names, new Set());
  return names.size === 0 ? undefined : resolve(call, config as JsonObject, names);
}

async function resolve(call: CallState, config: JsonObject, names: ReadonlySet<string>): Promise<ToolFailure | undefined> {
  const { tool } = call;
  const values = new Map<string, string>();
  try {
    for (const name of names) {
      if (!tool.metadata?.secrets?.includes(name))
        throw new ToolError(
          "SECRET_MISSING",
          `The configuration of tool "${tool.name}" refers to the secret "${name}", which the tool does not declare. Add it to metadata.secrets, or change the configuration.`,
        );
      values.set(name, await readSecret(name, call, `the configuration of ${tool.name}`));
    }
  } catch (error) {
    if (ToolError.is(error)) return call.fail(error.code, error.message);
    throw error;
  }
  const resolved = withValues(config, values, new Map()) as JsonObject;
  call.openInput(inputWith(call.input, config, resolved, call.extras?.configured ?? []), resolved);
  return undefined;
}

/** Values of the caller or a hook stay as they are, even if they look like references. */
function inputWith(input: JsonObject, config: JsonObject, resolved: JsonObject, configured: readonly string[]): JsonObject {
  const opened = { ...input };
  for (const name of configured) {
    if (Object.hasOwn(input, name) && jsonEquals(input[name], config[name])) opened[name] = resolved[name];
  }
  return opened;
}

function collectReferences(value: unknown, names: Set<string>, seen: Set<object>): void {
  const name = secretNameIn(value);
  if (name !== undefined) names.add(name);
  else if (isPlain(value) && !seen.has(value)) {
    seen.add(value);
    for (const inner of Object.values(value)) collectReferences(inner, names, seen);
  }
}

function withValues(value: unknown, values: ReadonlyMap<string, string>, copies: Map<object, unknown>): unknown {
  const name = secretNameIn(value);
  if (name !== undefined) return values.get(name);
  if (!isPlain(value)) return value;
  if (copies.has(value)) return copies.get(value);
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  copies.set(value, copy);
  for (const [key, inner] of Object.entries(value)) {
    Object.defineProperty(copy, key, { value: withValues(inner, values, copies), writable: true, enumerable: true, configurable: true });
  }
  return copy;
}

/** "secret:openrouter-api-key" → "openrouter-api-key" */
function secretNameIn(value: unknown): string | undefined {
  return typeof value === "string" && value.startsWith("secret:") && value.length > 7 ? value.slice(7) : undefined;
}

/** Arrays and plain objects; any other object in a configuration is passed on as it is. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
