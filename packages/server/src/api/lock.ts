import type { ToolLock } from "@toolrack/core/trust";
import type { SourceConfig } from "../config/config.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { portableSource } from "../rack/settings/config-digest.ts";
import { registryIdOf } from "../rack/sources/create-source.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

export interface LockReport {
  readonly lock: ToolLock;
  /** Sources whose tools are not known now: they are missing in the lock. */
  readonly missing: readonly { readonly id: string; readonly state: string; readonly error?: string }[];
}

export interface LockAnswers {
  "GET /lock": LockReport;
}

const text = { type: "string" } as const;

const show = defineRoute({
  method: "GET",
  path: "/lock",
  id: "getLock",
  group: "trust",
  summary: "Get the lock file: the tools of all sources with their prints.",
  // It has every definition as its source sends it, also those that nobody has approved.
  needs: ["curator", "admin"],
  isHeavy: true,
  query: {
    type: "object",
    properties: { all: { type: "boolean", description: "Also built-in tools, modules and records." } },
    additionalProperties: false,
  },
  answers: ok<LockReport>(
    "The lock.",
    objectOf<LockReport>({
      lock: objectOf<ToolLock>({ format: { const: "toolrack.lock.v1" }, sources: { type: "object", additionalProperties: true } }),
      missing: listOf(objectOf<LockReport["missing"][number]>({ id: text, state: text, error: text }, ["error"])),
    }),
  ),
  async run({ rack, query }) {
    await rack.sources.ready();
    const configured = new Map(
      rack.settings.list().flatMap(({ key, value }) => {
        if (!key.startsWith("sources.") || value === null) return [];
        const source = value as SourceConfig;
        return [[registryIdOf(key.slice("sources.".length), source), portableSource(source)] as const];
      }),
    );
    const lock = await rack.seen.lock({ all: query.all === true, from: (id) => configured.get(id) ?? {} });
    const missing = rack.sources
      .list()
      .filter(({ state }) => state === "failed" || state === "starting" || state === "waiting-for-approval")
      .map(({ id, state, error }) => ({ id, state, ...(error !== undefined && { error }) }));
    return { body: { lock, missing } };
  },
});

export const lockRoutes: RoutesOf<LockAnswers> = [show];
