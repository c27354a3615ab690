import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { SecretInfo } from "@toolrack/store";
import { Problem } from "../http/reply/problem.ts";
import { shortName } from "../rack/cluster/agreement.ts";
import type { RewrapReport } from "../rack/keys-and-tokens/key-rotation.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";
import { notFound } from "./shared/records.ts";

export interface SecretList {
  readonly secrets: readonly SecretInfo[];
  readonly wanted: readonly WantedSecret[];
  readonly next?: number;
}

/** A secret that is not set, and the tools that need it. */
export interface WantedSecret {
  /** What of a tool is off without it, where the rest of the tool is not: 'the channel "team" of message'. */
  readonly uses?: readonly string[];
  readonly name: string;
  readonly tools: readonly string[];
}

export interface RewrapResult extends RewrapReport {
  /** Active servers of the store that have another master key. */
  readonly otherServers: readonly string[];
}

export interface SecretAnswers {
  "GET /secrets": SecretList;
  "PUT /secrets/{name}": undefined;
  "DELETE /secrets/{name}": undefined;
  "POST /master-key/rewrap": RewrapResult;
}

/** Never the value. */
const secretSchema = objectOf<SecretInfo>(
  {
    name: { type: "string" },
    version: { type: "integer" },
    updated_at: { type: "string" },
    updated_by: { type: "string" },
    unreadable: { type: "boolean", description: "Whether no configured master key opens it. Absent if one does." },
  },
  ["unreadable"],
);

const byName = { type: "object", properties: { name: { type: "string" } }, required: ["name"], additionalProperties: false } as const;

const list = defineRoute({
  method: "GET",
  path: "/secrets",
  id: "listSecrets",
  group: "secrets",
  summary: "List the names of the secrets that are set, and of missing ones that tools need.",
  needs: ["curator", "admin"],
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok(
    "Names only; there is no way to read a value.",
    objectOf<SecretList>(
      {
        secrets: listOf(secretSchema),
        wanted: listOf(
          objectOf<WantedSecret>(
            {
              name: { type: "string" },
              tools: { type: "array", items: { type: "string" } },
              uses: {
                type: "array",
                items: { type: "string" },
                description: "What of a tool is off without it, where the rest of the tool is not.",
              },
            },
            ["uses"],
          ),
        ),
        next: nextOffset,
      },
      ["next"],
    ),
  ),
  async run({ rack, query }) {
    const all = await rack.secrets.list();
    const { items: secrets, ...rest } = pageOf(all, query as PageQuery);
    const known = new Set(all.map(({ name }) => name));
    const wanted = new Map<string, { readonly tools: string[]; readonly uses: string[] }>();
    for (const { tool } of rack.registry.entries())
      for (const name of tool.metadata?.secrets ?? []) {
        if (known.has(name)) continue;
        const one = wanted.get(name) ?? { tools: [], uses: [] };
        wanted.set(name, one);
        one.tools.push(tool.name);
        const { secretUses = {} } = tool.metadata!;
        if (Object.hasOwn(secretUses, name)) one.uses.push(`${secretUses[name]!} of ${tool.name}`);
      }
    const missing = [...wanted].map(([name, { tools, uses }]) => ({ name, tools, ...(uses.length > 0 && { uses }) }));
    return { body: { secrets, wanted: missing, ...rest } };
  },
});

const set = defineRoute({
  method: "PUT",
  path: "/secrets/{name}",
  id: "setSecret",
  group: "secrets",
  summary: "Set or replace a secret.",
  needs: ["admin"],
  params: byName,
  body: {
    type: "object",
    properties: { value: { type: "string", minLength: 1, maxLength: 65_536, writeOnly: true } },
    required: ["value"],
    additionalProperties: false,
  },
  answers: nothing,
  // Nothing of a secret is stored with a request, not even a hash; setting it twice is harmless.
  keepsIdempotency: true,
  async run({ rack, identity, params, body }) {
    await rack.secrets.set(params.name, body.value, { by: identity });
    return {};
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/secrets/{name}",
  id: "removeSecret",
  group: "secrets",
  summary: "Delete a secret; tools that need it are unavailable until it is set again.",
  needs: ["admin"],
  params: byName,
  answers: nothing,
  async run({ rack, identity, params }) {
    if (!(await rack.secrets.remove(params.name, { by: identity }))) throw notFound(`secret "${params.name}"`);
    return {};
  },
});

const texts = listOf<string>({ type: "string" });
const affected = objectOf<RewrapReport["unreadable"]>({ secrets: texts, auditKeys: texts });

const rewrap = defineRoute({
  method: "POST",
  path: "/master-key/rewrap",
  id: "rewrapMasterKey",
  group: "secrets",
  summary: "Rewrap every secret and the audit key with the current master key, which ends a rotation. For the owner.",
  needs: ["owner"],
  body: {
    type: "object",
    properties: {
      forgetUnreadable: {
        type: "boolean",
        default: false,
        description: "Removes secrets and audit keys that no available key opens, because their master key is lost.",
      },
    },
    additionalProperties: false,
  },
  answers: ok(
    "What was done, and what is left.",
    objectOf<RewrapResult>({
      keyId: { type: "string", description: "A digest of the current master key." },
      secrets: { type: "integer", description: "How many secrets were rewrapped." },
      auditKeys: { type: "integer" },
      sharedKeys: { type: "integer", description: "The key that the servers of a store share." },
      unreadable: { ...affected, description: "What no available key opens." },
      forgotten: { ...affected, description: "What was removed." },
      otherServers: { ...texts, description: "Active servers of the store that have another master key." },
      needsPreviousKeys: { type: "boolean", description: "Whether something still needs one of TOOLRACK_PREVIOUS_KEYS." },
    }),
  ),
  async run({ rack, identity, body }) {
    const { forgetUnreadable } = body;
    const others = (await rack.agreement.differences()).filter(({ hasOtherMasterKey }) => hasOtherMasterKey).map(({ server }) => server);
    if (forgetUnreadable && others.length > 0)
      throw new Problem(
        409,
        "STATE_INVALID",
        `Nothing was given up: ${others.map(shortName).join(", ")} on the same store runs with another master key, so that key is not lost. Give it to this server (TOOLRACK_MASTER_KEY), or stop the other one first.`,
      );
    const report = await rack.masterKey.rewrap({ by: identity, forgetUnreadable });
    const { keyId, secrets, auditKeys, sharedKeys, forgotten } = report;
    const isChanged = secrets + auditKeys + sharedKeys + forgotten.secrets.length + forgotten.auditKeys.length > 0;
    if (isChanged) await rack.audit({ kind: "master-key-rewrapped", subject: keyId, by: identity, body: report });
    return { body: { ...report, otherServers: others } };
  },
});

export const secretRoutes: RoutesOf<SecretAnswers> = [list, set, remove, rewrap];
