import type { ReadOpenApiOptions } from "@toolrack/openapi";
import type { OpenApiSourceConfig } from "../../../config/openapi-source.ts";

/** What the configuration of a source says about reading its document. Tools are named as those of MCP servers: "<id>__<operation>". */
export function toReadOptions(id: string, config: OpenApiSourceConfig): ReadOpenApiOptions & { readonly prefix: string } {
  const {
    url,
    baseUrl,
    include,
    exclude,
    rename,
    group,
    secrets,
    contentType,
    allowHosts,
    timeoutMs,
    maxBytes,
    maxPages,
    resultFields,
    descriptionLength,
  } = config;
  return {
    prefix: `${id}_`,
    // The configured address, wherever it redirects to: a redirect must not move relative servers to another host.
    ...(url !== undefined && { url }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(include !== undefined && { include }),
    ...(exclude !== undefined && { exclude }),
    ...(rename !== undefined && { rename }),
    ...(group !== undefined && { group }),
    ...(secrets !== undefined && { secrets }),
    ...(contentType !== undefined && { contentType }),
    ...(allowHosts !== undefined && { allowHosts }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxPages !== undefined && { maxPages }),
    ...(resultFields !== undefined && { resultFields }),
    ...(descriptionLength !== undefined && { descriptionLength }),
  };
}
