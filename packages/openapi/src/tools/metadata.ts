import type { ToolMetadata } from "@toolrack/core";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { own, ownObject } from "../document/json.ts";
import type { OperationPlan } from "../operation.ts";
import type { RawOperation } from "../read/raw-operations.ts";

const readOnlyMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);

/** What a tool declares about its operation. */
export function metadataOf(
  raw: RawOperation,
  plan: OperationPlan,
  groups: readonly string[],
  root: JsonObject,
  baseUrl: string | undefined,
): ToolMetadata {
  const server = baseUrl ?? plan.server;
  const { method } = plan;
  const secrets = [...new Set(plan.security.flat().map(({ secret }) => secret))];
  const tags = [...new Set(raw.tags.map(toTag).filter((tag) => tag !== ""))];
  const since = own(ownObject(root, "info"), "version");
  return {
    annotations: {
      readOnly: readOnlyMethods.has(method),
      destructive: method === "DELETE",
      idempotent: method === "PUT" || method === "DELETE",
      openWorld: true,
    },
    ...(tags.length > 0 && { tags }),
    ...(groups.length > 0 && { groups }),
    // Where there are several ways to sign in, each call takes the first that is complete.
    ...(secrets.length > 0 && { secrets, ...(plan.security.length > 1 && { optionalSecrets: secrets }) }),
    ...(server !== undefined && { needs: { hosts: [new URL(server).host] } }),
    ...(own(raw.value, "deprecated") === true && { deprecated: { since: typeof since === "string" && since !== "" ? since : "unknown" } }),
  };
}

/** "Pet store" → "Pet-store": a tag of a tool is one word. */
function toTag(tag: string): string {
  const words = tag.slice(0, 1_000).replaceAll(/\p{C}/gu, " ").trim().replaceAll(/\s+/g, "-");
  return [...words].slice(0, 256).join("");
}
