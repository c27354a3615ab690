import { type AuditBegin, type AuditCheck, type AuditLine, listAudit, verifyAudit } from "@toolrack/store";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { exportOf, formatOf, formatQuery, pageOrExport } from "./_exports.ts";
import { readSlices } from "./_pages.ts";
import { type Columns, jsonCell } from "./shared/csv.ts";
import { readTimeRange, timeRangeQuery } from "./shared/time-range.ts";

export interface AuditLineAnswer extends AuditLine {
  /** Who acted, in short: "key anna", or "helper (key anna)" for a principal that acts as another agent. */
  readonly who: string;
}

export interface AuditPage {
  readonly lines: readonly AuditLineAnswer[];
  readonly next?: number;
}

/** The check of the store, with calls that are missing in the audit log as far as this server knows. */
export type AuditVerification =
  | (Extract<AuditCheck, { readonly ok: true }> & { readonly missing: { readonly kept: number; readonly unrecorded: number } })
  | Extract<AuditCheck, { readonly ok: false }>;

export interface AuditAnswers {
  "GET /audit": AuditPage;
  "GET /audit/verification": AuditVerification;
}

/** An entry of the audit log. Each has a MAC over itself and the previous entry. */
const auditLineSchema = objectOf<AuditLineAnswer>({
  number: { type: "integer" },
  at: { type: "number" },
  kind: { type: "string" },
  agent: { type: "string" },
  principal: { type: "string", description: 'The principal of the sign-in: "key anna"; "" without sign-in.' },
  who: { type: "string", description: 'Who acted: "key anna", or "helper (key anna)" for a principal that acts as another agent.' },
  subject: { type: "string" },
  callId: { type: ["string", "null"] },
  ok: { type: ["boolean", "null"] },
  code: { type: ["string", "null"] },
  durationMs: { type: ["number", "null"], description: "Without the time that a call waited for people." },
  hash: { type: "string", description: "With a keyId a MAC under that key, else a plain hash." },
  keyId: { type: "string", description: 'The audit key; "" for entries from before the audit log had one.' },
  body: { description: "The action, without secrets." },
});

const curators = ["curator", "admin"] as const;
const end = { number: { type: "integer" }, hash: { type: "string" } } as const;

const list = defineRoute({
  method: "GET",
  path: "/audit",
  id: "listAudit",
  isHeavy: true,
  group: "audit",
  summary: "Read the audit log, newest first: calls, reads of secrets, decisions.",
  needs: curators,
  query: {
    type: "object",
    properties: {
      kinds: { type: "array", items: { type: "string" } },
      subject: { type: "string" },
      callId: { type: "string" },
      ok: { type: "boolean" },
      ...timeRangeQuery,
      from: { type: "number", deprecated: true, description: "Milliseconds since 1970; send since instead." },
      before: { type: "integer", description: "Only entries below this number." },
      limit: { type: "integer", minimum: 1, maximum: 1_000, description: "Default: 100 as JSON, else all." },
      format: formatQuery,
    },
    additionalProperties: false,
  },
  answers: pageOrExport(
    "Lines of the audit: one page, or all as CSV or lines of JSON.",
    objectOf<AuditPage>({ lines: listOf(auditLineSchema), next: { type: "integer", description: "For `before` of the next page." } }, [
      "next",
    ]),
  ),
  async run(request) {
    const { rack, identity, query } = request;
    const store = rack.store.as(identity.actor);
    const { limit, since, until, from, format: wanted, ...filter } = query;
    const range = readTimeRange({ since, until, from }, Date.now());
    const format = formatOf(request, wanted);
    const read = (last: AuditLine | undefined, count: number): Promise<readonly AuditLine[]> =>
      listAudit(store, { ...filter, ...range, ...(last && { before: last.number }), limit: count });
    if (format !== "json") return exportOf(request, { format, name: "audit", columns, limit, read, show });
    const { items: lines, hasMore } = await readSlices<AuditLine>({ limit: limit ?? 100, read });
    return { body: { lines: lines.map(show), ...(hasMore && lines.length > 0 && { next: lines.at(-1)!.number }) } };
  },
});

const columns: Columns<AuditLineAnswer> = {
  number: ({ number }) => number,
  at: ({ at }) => new Date(at).toISOString(),
  kind: ({ kind }) => kind,
  who: ({ who }) => who,
  agent: ({ agent }) => agent,
  principal: ({ principal }) => principal,
  subject: ({ subject }) => subject,
  callId: ({ callId }) => callId,
  ok: (line) => line.ok,
  code: ({ code }) => code,
  durationMs: ({ durationMs }) => durationMs,
  hash: ({ hash }) => hash,
  keyId: ({ keyId }) => keyId,
  body: ({ body }) => jsonCell(body),
};

function show(line: AuditLine): AuditLineAnswer {
  return { ...line, who: whoOf(line) };
}

function whoOf({ agent, principal }: AuditLine): string {
  if (principal === "") return agent;
  return principal === agent || principal.endsWith(` ${agent}`) ? principal : `${agent} (${principal})`;
}

const verify = defineRoute({
  method: "GET",
  path: "/audit/verification",
  id: "verifyAudit",
  isHeavy: true,
  group: "audit",
  summary: "Verify the whole chain of the audit log, and report the first entry that was changed, removed or inserted.",
  needs: curators,
  query: {
    type: "object",
    properties: {
      sinceNumber: { ...end.number, description: "With sinceHash: a known end of the chain, which the chain must contain." },
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
          keyed: { type: "integer", description: "How many entries have a MAC." },
          last: objectOf(end),
          missing: objectOf({
            kept: { type: "integer", description: "Finished calls of this server whose entries wait until the store accepts them." },
            unrecorded: {
              type: "integer",
              description:
                "Calls that ran although their start could not be recorded, and calls whose end was lost; with sinceNumber, since then. Lines of kind calls-unrecorded say when.",
            },
          }),
          limits: { ...listOf<string>({ type: "string" }), description: "What this check cannot show." },
          log: {
            ...objectOf({
              size: { type: "integer" },
              root: { type: "string" },
              anchors: { type: "integer", description: "How many entries of the audit state a head that the log had." },
            }),
            description: "The log of definitions, which was verified as well.",
          },
          chains: {
            ...objectOf({
              count: { type: "integer", description: "Each server on PostgreSQL writes chains of its own." },
              anchors: { type: "integer", description: "How many entries state where the chains ended by then." },
            }),
            description: "The chains that the entries form.",
          },
          begin: {
            ...objectOf<AuditBegin>(
              { number: { type: "integer" }, anchor: objectOf({ number: { type: "integer" }, at: { type: "number" } }) },
              ["anchor"],
            ),
            description: "The first remaining entry after older ones were removed, and the signed entry that records the removal.",
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
    if (!check.ok) {
      // Without its key nobody can tell a changed line from an honest one.
      const fit = await rack.masterKey.check();
      if (fit.auditKey === "unreadable")
        throw new Problem(
          503,
          "AUDIT_LOCKED",
          `The audit cannot be verified with the master key in use. ${check.reason} ${rack.masterKey.explain(fit) ?? ""}`.trimEnd(),
        );
      return { body: check };
    }
    const split = (await rack.agreement.differences()).find(({ hasOtherLog }) => hasOtherLog);
    if (split !== undefined) return { body: { ok: false as const, number: check.last.number, reason: split.message } };
    return { body: { ...check, missing: await rack.recording.missing(number) } };
  },
});

export const auditRoutes: RoutesOf<AuditAnswers> = [list, verify];
