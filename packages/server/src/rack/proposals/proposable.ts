import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import { knownForms } from "../../config/checks/credentials.ts";
import type { SourceConfig } from "../../config/config.ts";
import { bundleSchema, sourceSchema, switchSchema } from "../../config/schema.ts";
import { plainCredentialsIn } from "../../config/shown-source.ts";
import { isPrivate } from "../tools/private-host.ts";

/** The settings that an agent may propose. Everything else decides who may do what, or how this server is reached. */
export const proposableKeys: readonly { readonly key: string; readonly description: string; readonly schema: JsonSchema }[] = [
  { key: "bundles.<name>", description: "A list of tools under one name.", schema: bundleSchema },
  { key: "sources.<id>", description: "A source of tools, without headers, secrets, trust and private hosts.", schema: sourceSchema },
  { key: "tools.<name>", description: "Whether a tool is enabled.", schema: switchSchema },
];

const parts: ReadonlySet<string> = new Set(proposableKeys.map(({ key }) => key.split(".")[0]!));

/** Members of a source that name a secret, loosen what is trusted, or reach further than the public internet. */
const closedMembers = ["headers", "trust", "allowHosts", "allowUnpinned", "openapi", "workers", "passOn", "required", "paths"] as const;

/** Throws TOOL_NOT_ALLOWED for a change that an agent may not even propose. */
export function demandProposable(key: string, value: unknown): void {
  const [part = ""] = key.split(".");
  if (!parts.has(part))
    throw refused(`"${key.slice(0, 100)}" cannot be proposed: it decides who may do what, or how this server is reached.`);
  if (namesSecret(value)) throw refused(`The value of "${key.slice(0, 100)}" names a secret or holds a credential.`);
  if (part !== "sources" || !isObject(value)) return;
  const closed = closedMembers.find((member) => Object.hasOwn(value, member));
  if (closed !== undefined) throw refused(`"${closed}" of a source cannot be proposed.`);
  const { url } = value;
  if (typeof url === "string" && URL.canParse(url) && isPrivate(new URL(url)))
    throw refused(`The address of "${key.slice(0, 100)}" is not one of the public internet.`);
  if (plainCredentialsIn(value as SourceConfig).length > 0) throw refused(`The value of "${key.slice(0, 100)}" holds a credential.`);
}

/** "secret:github" as a whole or inside of a text, or something that looks like a key, in any value or name. */
function namesSecret(value: unknown): boolean {
  if (typeof value === "string") return /secret:/i.test(value) || knownForms.test(value) || value.includes("PRIVATE KEY");
  if (Array.isArray(value)) return value.some(namesSecret);
  return isObject(value) && Object.entries(value).some((entry) => entry.some(namesSecret));
}

function refused(fact: string): ToolError {
  return new ToolError("TOOL_NOT_ALLOWED", `${fact} A person has to change that, in the configuration file or over the API.`);
}
