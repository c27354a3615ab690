import { isObject } from "@toolrack/json-schema/internal";
import type { ToolRule } from "../rule.ts";

export const deprecated: ToolRule = {
  id: "deprecated",
  severity: "warning",
  finds: "Deprecated tools, with their successors.",
  check({ metadata }, report) {
    const { since, successor } = isObject(metadata["deprecated"]) ? metadata["deprecated"] : {};
    if (typeof successor !== "string" || successor === "") return;
    const when = typeof since === "string" && since !== "" ? ` since ${since}` : "";
    report(
      "/metadata/deprecated",
      `The tool is deprecated${when}; its successor is "${successor}".`,
      `Use "${successor}" instead, and remove this tool when nothing calls it any more.`,
    );
  },
};
