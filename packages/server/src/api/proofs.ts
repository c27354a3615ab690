import type { DefinitionProof, HeadSignature, LogHead, MerkleHead } from "@toolrack/core/trust";
import { findSeen, type LoggedDefinition, openDefinitionLog, type SignedHead, signedHead, upstreamOf } from "@toolrack/store";
import { Problem } from "../http/reply/problem.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { checkProof, findEntry, proofOf, type ProofVerification } from "../rack/trust/log-proofs.ts";
import type { Rack } from "../rack/rack.ts";
import type { ToolOrigin } from "../rack/trust/overlay-origins.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

/** An entry of the log of definitions. */
export type LogEntry = Omit<LoggedDefinition, "text">;

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Give it as `before` for the next page. */
  readonly next?: number;
}

export interface ProofAnswers {
  "GET /definition-log": LogPage;
  "GET /definition-log/head": SignedHead;
  "GET /tools/{name}/proof": DefinitionProof;
  "POST /proofs/verification": ProofVerification;
}

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;
const hash = { type: "string", pattern: "^[0-9a-f]{64}$" } as const;
const curators = ["subscriber", "curator", "admin"] as const;
const merkleHead = objectOf<MerkleHead>({ size: count, root: hash });
const logHead = objectOf<LogHead>({ size: count, root: hash, at: { ...count, description: "Milliseconds since 1970." } });
const signature = {
  ...objectOf<HeadSignature>({ keyId: text, publicKey: text, signature: text }),
  description: "Ed25519, by a key that is derived from the key of the audit. Absent in an audit without a key.",
};
const hashes = listOf<string>(hash);

const list = defineRoute({
  method: "GET",
  path: "/definition-log",
  id: "listDefinitionLog",
  group: "trust",
  summary: "List what was logged about definitions, newest first: first sights, changes, approvals, refusals, overlays, grants.",
  needs: curators,
  query: {
    type: "object",
    properties: {
      tool: { ...text, description: "The name that the tool has at its source." },
      source: { ...text, description: "The identity of the source." },
      before: { ...count, description: "Only entries with a lower index." },
      limit: { type: "integer", minimum: 1, maximum: 1_000 },
    },
    additionalProperties: false,
  },
  answers: ok<LogPage>(
    "Entries of the log.",
    objectOf<LogPage>(
      {
        entries: listOf(
          objectOf<LogEntry>({
            index: count,
            at: { type: "number", description: "Milliseconds since 1970." },
            by: text,
            kind: { enum: ["first-sight", "change", "approval", "refusal", "restore", "overlay", "grant"] },
            source: text,
            tool: text,
            print: { type: ["string", "null"], description: "The print of the definition." },
            detail: { type: "object" },
          }),
        ),
        next: count,
      },
      ["next"],
    ),
  ),
  async run({ rack, query }) {
    const { limit = 100 } = query;
    const entries = (await openDefinitionLog(rack.store).list({ ...query, limit })).map(withoutText);
    return { body: { entries, ...(entries.length === limit && { next: entries.at(-1)!.index }) } };
  },
});

const head = defineRoute({
  method: "GET",
  path: "/definition-log/head",
  id: "getDefinitionLogHead",
  group: "trust",
  summary:
    "The number of entries in the log of definitions and one hash over all of them, signed. Keep it elsewhere to check later proofs against it.",
  needs: curators,
  answers: ok<SignedHead>("The head now.", objectOf<SignedHead>({ head: logHead, signature }, ["signature"])),
  async run({ rack }) {
    return { body: await signedHead(rack.store) };
  },
});

const prove = defineRoute({
  method: "GET",
  path: "/tools/{name}/proof",
  id: "proveTool",
  group: "trust",
  summary: "Prove that the newest entry about a tool is in the log of definitions. The answer can be checked without a server.",
  needs: curators,
  params: {
    type: "object",
    properties: { name: { type: "string", minLength: 1, maxLength: 600, description: "The name here, or at the source." } },
    required: ["name"],
    additionalProperties: false,
  },
  query: {
    type: "object",
    properties: {
      index: { ...count, description: "Another entry than the newest, by its index." },
      sinceSize: { ...count, description: "With sinceRoot: an older head. The proof then shows that the log still begins with it." },
      sinceRoot: hash,
    },
    dependentRequired: { sinceSize: ["sinceRoot"], sinceRoot: ["sinceSize"] },
    additionalProperties: false,
  },
  answers: ok<DefinitionProof>(
    "The proof.",
    objectOf<DefinitionProof>(
      {
        format: { const: "toolrack.proof.v1" },
        entry: { ...text, description: "JSON, byte for byte as it was logged." },
        index: count,
        head: logHead,
        inclusion: hashes,
        since: objectOf<NonNullable<DefinitionProof["since"]>>({ head: merkleHead, consistency: hashes }),
        signature,
      },
      ["since", "signature"],
    ),
  ),
  async run({ rack, params, query }) {
    const { name } = params;
    const { index, sinceSize: size, sinceRoot: root } = query;
    const entry = await findEntry(rack.store, await originOf(rack, name), index);
    if (entry === undefined)
      throw new Problem(404, "NOT_FOUND", `The log of definitions has no such entry about "${name}". See what it has: toolrack proof log`);
    return { body: await proofOf(rack.store, entry, size === undefined || root === undefined ? undefined : { size, root }) };
  },
});

const verify = defineRoute({
  method: "POST",
  path: "/proofs/verification",
  id: "verifyProof",
  group: "trust",
  summary: "Check a proof by itself, as toolrack proof verify does without a server.",
  body: {
    type: "object",
    properties: {
      proof: { type: "object" },
      since: { ...merkleHead, description: "The head of the log at an earlier time." },
      publicKey: { ...text, description: "The key that must have signed the head." },
      definition: { type: "object", description: "The definition that the entry must be about." },
    },
    required: ["proof"],
    additionalProperties: false,
  },
  answers: ok<ProofVerification>("What the check found.", {
    oneOf: [
      objectOf<Extract<ProofVerification, { readonly ok: true }>>({
        ok: { const: true },
        entry: { type: "object" },
        head: logHead,
        signature: { enum: ["valid", "unchecked", "absent"] },
      }),
      objectOf<Extract<ProofVerification, { readonly ok: false }>>({ ok: { const: false }, reason: text }),
    ],
  }),
  run({ body: { proof, since, publicKey, definition } }) {
    const options = {
      ...(since !== undefined && { since: since as MerkleHead }),
      ...(publicKey !== undefined && { publicKey }),
      ...(definition !== undefined && { definition }),
    };
    return { body: checkProof(proof, options) };
  },
});

/** Also of a tool that its source does not list now: by the name of its overlay, or by the name that it had here. */
async function originOf({ overlays, store }: Rack, name: string): Promise<Partial<ToolOrigin>> {
  const known = overlays.originOf(name) ?? overlays.calledSo(name)[0];
  if (known !== undefined) return { source: known.source, tool: known.tool };
  const record = (await findSeen(store, [name])).get(name);
  const upstream = record && upstreamOf(record);
  if (upstream === undefined) return { tool: name };
  return { tool: upstream.name, source: upstream.identity === "" ? upstream.source : upstream.identity };
}

function withoutText({ index, at, by, kind, source, tool, print, detail }: LoggedDefinition): LogEntry {
  return { index, at, by, kind, source, tool, print, detail };
}

export const proofRoutes: RoutesOf<ProofAnswers> = [list, head, prove, verify];
