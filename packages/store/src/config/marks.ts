import { shellWord } from "@toolrack/core/internal/shell-word";
import { ToolError } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import type { JsonObject } from "../record/breadcrumb.ts";
import { isObject, jsonEquals } from "../record/json.ts";

/**
 * What a configuration schema says of a setting beyond its type. Marks are found in `properties`, `additionalProperties` and `items`.
 * `x-toolrack-admin`: the setting says where a secret of the tool is sent, so that only an admin of a server changes it.
 * `x-toolrack-secret`: the setting is a reference, "secret:<name>", and never the secret itself.
 */
export type SettingMark = "x-toolrack-admin" | "x-toolrack-secret";

interface MarkedSetting {
  readonly value: unknown;
  readonly schema: JsonObject;
}

/** Settings with a mark whose values differ: ["baseUrl"]. */
export function changedSettings(schema: JsonSchema, mark: SettingMark, before: JsonObject, after: JsonObject): readonly string[] {
  const [old, now] = [markedSettings(schema, mark, before), markedSettings(schema, mark, after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => !isSame(old.get(path), now.get(path)));
}

/** Throws CONFIG_INVALID where a setting contains a secret itself instead of its name. */
export function refuseLiteralSecrets(tool: string, schema: JsonSchema, values: JsonObject): void {
  for (const [path, { value, schema: setting }] of markedSettings(schema, "x-toolrack-secret", values)) {
    if (typeof value === "string" && /^secret:./.test(value)) continue;
    const usual = setting["default"];
    const name = typeof usual === "string" && usual.startsWith("secret:") ? usual.slice("secret:".length) : "NAME";
    throw new ToolError(
      "CONFIG_INVALID",
      `The setting "${path}" of "${tool}" takes the name of a secret, not the secret itself. Set the secret with \`toolrack secrets set ${shellWord(name)}\`, then write secret:${name} here.`,
    );
  }
}

function isSame(one: MarkedSetting | undefined, other: MarkedSetting | undefined): boolean {
  return one !== undefined && other !== undefined && jsonEquals(one.value, other.value);
}

function markedSettings(schema: unknown, mark: SettingMark, values: unknown): ReadonlyMap<string, MarkedSetting> {
  const found = new Map<string, MarkedSetting>();
  collect(schema, values, "");
  return found;

  function collect(part: unknown, value: unknown, path: string): void {
    if (!isObject(part) || value === undefined) return;
    if (part[mark] === true) found.set(path, { value, schema: part as JsonObject });
    if (Array.isArray(value)) for (const [index, item] of value.entries()) collect(part["items"], item, `${path}[${index}]`);
    if (!isObject(value)) return;
    const properties = isObject(part["properties"]) ? part["properties"] : {};
    for (const [key, inner] of Object.entries(value)) {
      const propertySchema = Object.hasOwn(properties, key) ? properties[key] : part["additionalProperties"];
      collect(propertySchema, inner, path === "" ? key : `${path}.${key}`);
    }
  }
}
