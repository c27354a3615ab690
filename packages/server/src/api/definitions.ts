import type { ScanFinding } from "@toolrack/core/scan";
import { findSeen } from "@toolrack/store";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import { mayDecide } from "../rack/access/visible.ts";
import { overlaidOf } from "../rack/trust/noted-overlays.ts";
import type { WaitingDefinition } from "../rack/trust/trust.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { findingSchema, waitingDefinitionSchema } from "./shared/definitions.ts";

/** What is on record about the definition of a tool. */
export interface DefinitionTrust {
  readonly tool: string;
  /** "held": it is not served. "changed": models see what was approved. "unknown": no tool has this name. */
  readonly state: "served" | "changed" | "held" | "unknown";
  /** The record with its history; absent for stored definitions, whose id is "tool-def-<name>". */
  readonly record?: string;
  /** What waits for a person; only for those who decide about it. */
  readonly waiting?: WaitingDefinition;
  /** Of the scanner, and from tools that imitate or steer this one. */
  readonly findings: readonly ScanFinding[];
}

/** What waits of one source and needs no look at each definition. */
export interface SourceDefinitions {
  readonly source: string;
  /** Of the whole list. Send it with the decision. */
  readonly digest: string;
  readonly definitions: readonly WaitingDefinition[];
}

export interface DefinitionAnswers {
  "GET /definitions/{tool}": DefinitionTrust;
  "GET /definitions/sources/{source}": SourceDefinitions;
  "POST /definitions/sources/{source}/approve": SourceDefinitions;
}

const text = { type: "string" } as const;
const bySource = { type: "object", properties: { source: text }, required: ["source"], additionalProperties: false } as const;
const sourceSchema = objectOf<SourceDefinitions>({
  source: text,
  digest: { ...text, description: "Of the whole list. Send it with the decision." },
  definitions: listOf(waitingDefinitionSchema),
});

const show = defineRoute({
  method: "GET",
  path: "/definitions/{tool}",
  id: "showDefinition",
  group: "approvals",
  summary: "Show whether the definition of a tool is served as its source has it, what waits for a person, and what the scanner finds.",
  needs: ["subscriber", "curator", "admin", "owner"],
  params: { type: "object", properties: { tool: text }, required: ["tool"], additionalProperties: false },
  answers: ok(
    "The state of the definition.",
    objectOf<DefinitionTrust>(
      {
        tool: text,
        state: { enum: ["served", "changed", "held", "unknown"] },
        record: text,
        waiting: waitingDefinitionSchema,
        findings: listOf(findingSchema),
      },
      ["record", "waiting"],
    ),
  ),
  async run({ rack, identity, params: { tool } }) {
    const { trust, registry, overlays } = rack;
    const served = registry.get(tool);
    const heldBelow = overlays.calledSo(tool).flatMap((origin) => trust.heldAt(origin) ?? [])[0];
    // The name without an overlay, which the lock knows.
    const own = (served && overlaidOf(served)?.listedAs) ?? (served === undefined ? heldBelow?.tool : undefined) ?? tool;
    const waiting = trust.waiting().find((one) => one.tool === own) ?? trust.held(own);
    const record = trust.recordIdOf(own) ?? waiting?.record ?? (await findSeen(rack.store, [own])).get(own)?.id;
    const isServed = served !== undefined || trust.recordIdOf(own) !== undefined;
    const state: DefinitionTrust["state"] =
      waiting?.effect === "held" ? "held" : waiting !== undefined ? "changed" : isServed ? "served" : "unknown";
    // The words of a definition that nobody approved are for those who decide about it.
    const decides = mayDecide(identity.roles);
    const shown = decides ? waiting : undefined;
    const findings = shown?.findings ?? (await trust.findings(own, { withUnapproved: decides }));
    return { body: { tool, state, ...(record !== undefined && { record }), ...(shown && { waiting: shown }), findings } };
  },
});

const showSource = defineRoute({
  method: "GET",
  path: "/definitions/sources/{source}",
  id: "showSourceDefinitions",
  group: "approvals",
  summary: "List what waits of one source and can be approved together: new tools without a finding, and changes of wording.",
  needs: ["curator", "admin", "owner"],
  params: bySource,
  answers: ok("What can be approved together.", sourceSchema),
  run({ rack, params }) {
    const source = rack.sources.registryIdOf(params.source);
    return { body: { source, ...rack.trust.bulkOf(source) } };
  },
});

const approveSource = defineRoute({
  method: "POST",
  path: "/definitions/sources/{source}/approve",
  id: "approveSourceDefinitions",
  group: "approvals",
  summary: "Approve exactly the list with this digest: new tools without a finding, and changes of wording, of one source.",
  needs: ["curator", "admin", "owner"],
  params: bySource,
  body: {
    type: "object",
    properties: { digest: text, reason: { type: "string", maxLength: 500 } },
    required: ["digest"],
    additionalProperties: false,
  },
  answers: ok("What was approved.", sourceSchema),
  async run({ rack, identity, params, body: { digest, reason } }) {
    const source = rack.sources.registryIdOf(params.source);
    if (rack.trust.bulkOf(source).digest !== digest)
      throw new Problem(
        409,
        "STATE_INVALID",
        `What waits of "${source}" has changed since it was looked at. Look at it again, and decide again.`,
      );
    const definitions = await rack.trust.approveSource(source, { digest, by: identity, ...(reason !== undefined && { reason }) });
    return { body: { source, digest, definitions } };
  },
});

export const definitionRoutes: RoutesOf<DefinitionAnswers> = [showSource, approveSource, show];
