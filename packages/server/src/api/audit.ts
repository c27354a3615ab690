import { type AuditBegin, type AuditCheck, type AuditLine, listAudit, verifyAudit } from "@toolrack/store";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { readSlices } from "./_pages.ts";

export interface AuditPage {
  readonly lines: readonly AuditLine[];
  readonly next?: number;
}

/** The check of the store, with what this server knows of calls that are not in the audit. */
export type AuditVerification =
  | (Extract<AuditCheck, { readonly ok: true }> & { readonly missing: { readonly kept: number; readonly unrecorded: number } })
  | Extract<AuditCheck, { readonly ok: false }>;

export interface AuditAnswers {
  "GET /audit": AuditPage;
  "GET /audit/verification": AuditVerification;
}

/** A line of the audit. Each carries a MAC over itself and the line before it. */
const auditLineSchema = objectOf<AuditLine>({
  number: { type: "integer" },
  at: { type: "number" },
  kind: { type: "string" },
  agent: { type: "string" },
  principal: { type: "string", description: 'Who really did it, as the sign-in knows it: "key anna"; "" where nobody signed in.' },
  subject: { type: "string" },
  callId: { type: ["string", "null"] },
  ok: { type: ["boolean", "null"] },
  code: { type: ["string", "null"] },
  durationMs: { type: ["number", "null"] },
  hash: { type: "string", description: "With a keyId a MAC under that key, else a plain hash." },
  keyId: { type: "string", description: 'The audit key; "" for lines from before the audit had one.' },
  body: { description: "What was done, without secrets." },
});

const curators = ["curator", "admin"] as const;
const end = { number: { type: "integer" }, hash: { type: "string" } } as const;

const list = defineRoute({
  method: "GET",
  path: "/audit",
  id: "listAudit",
  isHeavy: true,
  group: "audit",
  summary: "Read the audit, the newest first: calls, secrets that were read, decisions.",
  needs: curators,
  query: {
    type: "object",
    properties: {
      kinds: { type: "array", items: { type: "string" } },
      subject: { type: "string" },
      callId: { type: "string" },
      ok: { type: "boolean" },
      from: { type: "number", description: "Milliseconds since 1970." },
      before: { type: "integer", description: "Only lines below this number." },
      limit: { type: "integer", minimum: 1, maximum: 1_000 },
    },
    additionalProperties: false,
  },
  answers: ok(
    "Lines of the audit.",
    objectOf<AuditPage>({ lines: listOf(auditLineSchema), next: { type: "integer", description: "For `before` of the next page." } }, [
      "next",
    ]),
  ),
  async run({ rack, identity, query }) {
    const store = rack.store.as(identity.actor);
    const { limit = 100, ...filter } = query;
    const { items: lines, hasMore } = await readSlices<AuditLine>({
      limit,
      read: (last, count) => listAudit(store, { ...filter, ...(last && { before: last.number }), limit: count }),
    });
    return { body: { lines, ...(hasMore && lines.length > 0 && { next: lines.at(-1)!.number }) } };
  },
});

const verify = defineRoute({
  method: "GET",
  path: "/audit/verification",
  id: "verifyAudit",
  isHeavy: true,
  group: "audit",
  summary: "Walk the whole chain of the audit, and tell the first line that was changed, removed or put in.",
  needs: curators,
  query: {
    type: "object",
    properties: {
      sinceNumber: { ...end.number, description: "With sinceHash: an end that was kept elsewhere, through which the chain must go." },
      sinceHash: end.hash,
    },
    dependentRequired: { sinceNumber: ["sinceHash"], sinceHash: ["sinceNumber"] },
    additionalProperties: false,
  },
  answers: ok<AuditVerification>("Whether the audit is intact.", {
    oneOf: [
      objectOf<Extract<AuditVerification, { readonly ok: true }>>(
        {
          ok: { const: true },
          rows: { type: "integer" },
          keyed: { type: "integer", description: "How many of the lines carry a MAC." },
          last: objectOf(end),
          missing: objectOf({
            kept: { type: "integer", description: "Calls that ended on this server and whose lines wait until the store takes them." },
            unrecorded: {
              type: "integer",
              description:
                "Calls that ran although their start could not be recorded, and calls whose end was lost; with sinceNumber, since then. Lines of kind calls-unrecorded say when.",
            },
          }),
          limits: { ...listOf<string>({ type: "string" }), description: "What this check cannot show." },
          begin: {
            ...objectOf<AuditBegin>(
              { number: { type: "integer" }, anchor: objectOf({ number: { type: "integer" }, at: { type: "number" } }) },
              ["anchor"],
            ),
            description: "The first line that is still there, after older ones were removed, and the line under the key that says so.",
          },
        },
        ["begin"],
      ),
      objectOf<Extract<AuditVerification, { readonly ok: false }>>({
        ok: { const: false },
        number: { type: "integer" },
        reason: { type: "string" },
      }),
    ],
  }),
  async run({ rack, identity, query }) {
    const { sinceNumber: number, sinceHash: hash } = query;
    const since = number === undefined || hash === undefined ? {} : { since: { number, hash } };
    const check = await verifyAudit(rack.store.as(identity.actor), since);
    if (!check.ok) return { body: check };
    return { body: { ...check, missing: await rack.recording.missing(number) } };
  },
});

export const auditRoutes: RoutesOf<AuditAnswers> = [list, verify];
