import { escapePointer, isObject, nearestNames } from "@toolrack/json-schema/internal";
import type { ToolRule } from "../rule.ts";

export const unknownParameter: ToolRule = {
  id: "unknown-parameter",
  severity: "error",
  finds: "Metadata that names parameters that the input schema does not have.",
  check({ input, parameters, metadata }, report) {
    if (!isObject(input?.["properties"])) return;
    const names = new Set(parameters.map((located) => located.property!));
    const expect = (name: unknown, path: string, field: string): void => {
      if (typeof name !== "string" || names.has(name)) return;
      const near = nearestNames(name, names, 1)[0];
      report(
        path,
        `${field} names "${name}", which is no parameter.`,
        near === undefined ? `Use one of ${[...names].slice(0, 10).join(", ")}.` : `Write "${near}".`,
      );
    };
    if (Array.isArray(metadata["paths"])) {
      for (const [index, name] of metadata["paths"].entries()) expect(name, `/metadata/paths/${index}`, "metadata.paths");
    }
    if (!isObject(metadata["aliases"])) return;
    for (const [alias, name] of Object.entries(metadata["aliases"])) {
      const path = `/metadata/aliases/${escapePointer(alias)}`;
      expect(name, path, "metadata.aliases");
      if (names.has(alias)) report(path, `metadata.aliases renames "${alias}", which is a parameter itself.`, "Take the alias away.");
    }
  },
};
