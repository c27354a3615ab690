import type { ScanFinding } from "@toolrack/core/scan";
import type { DefinitionChange } from "@toolrack/core/trust";
import type { SchemaOf } from "../../http/route.ts";
import type { WaitingDefinition } from "../../rack/trust/trust.ts";
import { listOf, objectOf } from "../_answers.ts";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

export const findingSchema: SchemaOf<ScanFinding> = objectOf<ScanFinding>(
  {
    rule: text,
    severity: { enum: ["info", "warning", "danger"] },
    path: { ...text, description: "A JSON pointer to the text." },
    message: text,
    evidence: { ...text, description: "The words in question, with invisible characters spelled out." },
    fix: text,
    digest: { ...text, description: "Of the text in question: to accept the finding for this text alone." },
    accepted: { ...text, description: "Why a person accepted it." },
  },
  ["accepted"],
);

const changeSchema = objectOf<DefinitionChange>(
  {
    path: { ...text, description: "A JSON pointer to what changed." },
    kind: { enum: ["wording", "widening", "narrowing", "behaviour", "identity", "poison"] },
    message: text,
    before: {},
    after: {},
  },
  ["before", "after"],
);

/** A definition that waits for a person, with what changed and what the scanner finds. */
export const waitingDefinitionSchema: SchemaOf<WaitingDefinition> = objectOf<WaitingDefinition>(
  {
    id: text,
    kind: { const: "definition" },
    what: {
      enum: ["tool", "instructions", "prompt", "resource", "resource-template"],
      description: "What is defined: a tool, or what its source says to models beside its tools.",
    },
    tool: { ...text, description: "The name by which models know the tool, or would." },
    source: text,
    name: { ...text, description: "The upstream's own name for it." },
    digest: { ...text, description: "The print of the definition. Send it with the decision." },
    reason: { enum: ["new", "changed"] },
    told: { ...texts, description: "What it is beyond that: renamed, re-pointed, taken over, flip-flop, split view, re-appeared." },
    effect: {
      enum: ["held", "old-text", "old-definition", "reported"],
      description: "The effect on the tool: held, served in its approved form (old-text, old-definition), or reported.",
    },
    verdict: { enum: ["same", "compatible", "review", "dangerous"] },
    changes: listOf(changeSchema),
    findings: listOf(findingSchema),
    about: { ...texts, description: "Tools of other sources that it imitates or steers." },
    definition: { type: "object", additionalProperties: true, description: "As the upstream sent it. Nothing in it can be trusted." },
    record: { ...text, description: "The record with the history of the tool." },
    seenAt: { type: "number" },
    seenBy: { ...text, description: "The server that saw it." },
    refused: { type: "boolean" },
  },
  ["verdict", "refused"],
);
