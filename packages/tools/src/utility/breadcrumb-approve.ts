import { defineTool, type ToolDefinition } from "@toolrack/core";
import { withRecords } from "../operations/breadcrumbs.ts";
import { changedRecord, recordIdSchema, shownRecordSchema } from "./_records.ts";
import type { UtilityOperations } from "./operations.ts";

export function createBreadcrumbApprove(operations: UtilityOperations): ToolDefinition {
  return defineTool({
    name: "breadcrumb_approve",
    title: "Approve a tool definition",
    description:
      "Validates and approves a stored tool definition, which makes the tool callable. Requires the permission to approve definitions.",
    inputSchema: {
      type: "object",
      properties: {
        id: recordIdSchema,
        hash: {
          type: "string",
          minLength: 1,
          maxLength: 128,
          description: "Of the content that was looked at, as breadcrumb_search shows it with include_context.",
        },
        reason: { type: "string", minLength: 1, maxLength: 1_000, description: "The reason for the approval; stored with the definition." },
      },
      required: ["id", "hash", "reason"],
      additionalProperties: false,
    },
    outputSchema: { type: "object", properties: { record: shownRecordSchema }, required: ["record"] },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint: "After the definition, its schemas and its examples were looked at.",
      examples: [
        {
          description: "Approve a definition",
          input: { id: "tool-def-greet", hash: "sha256:91a6…", reason: "Read and tried." },
          usage: "result.record.version",
        },
      ],
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      limits: { timeoutMs: 15_000, maxResultBytes: 262_144 },
      groups: ["utility"],
      tags: ["records"],
    },
    handler: ({ id, hash, reason }, context) =>
      withRecords(async () => {
        return changedRecord(operations, await operations.approve(context, id, { reason, hash }), "approve");
      }),
  });
}
