import type { ClientFormat, ClientValue, ClientValuePart } from "./client.ts";

/** A file of the format with one entry: `key`, then `name`, then the value. */
export function toText(format: ClientFormat, key: string, name: string, value: ClientValue): string {
  if (format === "json") return `${JSON.stringify({ [key]: { [name]: value } }, null, 2)}\n`;
  return format === "toml" ? toToml(key, name, value) : toYaml(key, name, value);
}

function toToml(key: string, name: string, value: ClientValue): string {
  const lines = Object.entries(value).map(([field, part]) => `${tomlKey(field)} = ${tomlValue(part)}`);
  return `[${tomlKey(key)}.${tomlKey(name)}]\n${lines.join("\n")}\n`;
}

function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

function tomlValue(part: ClientValuePart): string {
  if (typeof part === "string") return quoted(part);
  if (Array.isArray(part)) return `[${part.map(quoted).join(", ")}]`;
  if (typeof part !== "object") return String(part);
  return `{ ${Object.entries(part)
    .map(([key, text]) => `${quoted(key)} = ${quoted(text)}`)
    .join(", ")} }`;
}

function toYaml(key: string, name: string, value: ClientValue): string {
  const lines = Object.entries(value).flatMap(([field, part]) => yamlLines(field, part).map((line) => `    ${line}`));
  return `${yamlKey(key)}:\n  ${yamlKey(name)}:\n${lines.join("\n")}\n`;
}

function yamlLines(field: string, part: ClientValuePart): readonly string[] {
  if (typeof part === "string") return [`${yamlKey(field)}: ${quoted(part)}`];
  if (typeof part !== "object") return [`${yamlKey(field)}: ${part}`];
  if (Array.isArray(part)) return [`${yamlKey(field)}:`, ...part.map((text) => `  - ${quoted(text)}`)];
  return [`${yamlKey(field)}:`, ...Object.entries(part).map(([key, text]) => `  ${yamlKey(key)}: ${quoted(text)}`)];
}

/** Words such as "no" and "on" would be read as booleans. */
function yamlKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) && !/^(y|yes|n|no|on|off|true|false|null)$/i.test(key) ? key : quoted(key);
}

/** A text in double quotes, which JSON, TOML and YAML read alike. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", "\\u007f");
}
