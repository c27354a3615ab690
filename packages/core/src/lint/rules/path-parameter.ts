import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { toSnakeCaseKey } from "../../tool/params.ts";
import type { ToolRule } from "../rule.ts";

export const pathParameter: ToolRule = {
  id: "path-parameter",
  severity: "warning",
  finds: "Parameters that look like paths and are not listed in metadata.paths, so the workspace guard does not see them.",
  check({ parameters, metadata }, report) {
    const listed = new Set<unknown>(Array.isArray(metadata["paths"]) ? metadata["paths"] : []);
    for (const { property, schema, path } of parameters) {
      if (property === undefined || listed.has(property) || !isPathName(property) || !holdsText(schema)) continue;
      report(
        path,
        `"${property}" looks like a path, and metadata.paths does not list it.`,
        `Write metadata: { paths: [${JSON.stringify(property)}] }, or give it a name that no path has.`,
      );
    }
  },
};

/** "filePath", "cwd", "output_dir" but not "json_path" */
function isPathName(property: string): boolean {
  const name = toSnakeCaseKey(property);
  return (
    /(?:^|[_-])(?:path|file|filename|dir|directory|folder|cwd)s?$/.test(name) &&
    !/(?:^|[_-])(?:json|url|api|object|x)[_-]?paths?$/.test(name)
  );
}

function holdsText(schema: JsonObject): boolean {
  const { type, items, format } = schema as { type?: unknown; items?: unknown; format?: unknown };
  if (Array.isArray(schema["enum"]) || (typeof format === "string" && /^(?:uri|iri|json-pointer)/.test(format))) return false;
  return type === "string" || (type === "array" && isObject(items) && items["type"] === "string");
}
