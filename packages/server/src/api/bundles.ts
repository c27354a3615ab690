import { defineRoute, type RoutesOf } from "../http/route.ts";
import { listOf, nothing, objectOf, ok } from "./_answers.ts";
import { type BundleInfo, noBundle, type ResolvedBundle, resolveBundle } from "./shared/bundles.ts";
import { callerFor, runAsParameters } from "./shared/callers.ts";
import { nextOffset, pageOf, type PageQuery, pageQuery } from "./_pages.ts";

export interface BundleList {
  readonly bundles: readonly BundleInfo[];
  readonly next?: number;
}

export interface BundleAnswers {
  "GET /bundles": BundleList;
  "PUT /bundles/{name}": BundleInfo;
  "DELETE /bundles/{name}": undefined;
  "GET /bundles/{name}/resolve": ResolvedBundle;
}

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const byName = {
  type: "object",
  properties: { name: { type: "string", minLength: 1, maxLength: 100 } },
  required: ["name"],
  additionalProperties: false,
} as const;
const bundleSchema = objectOf<BundleInfo>({ name: text, description: text, required: texts, optional: texts, origin: text });

const list = defineRoute({
  method: "GET",
  path: "/bundles",
  id: "listBundles",
  group: "bundles",
  summary: "List the bundles: named sets of tools for a kind of agent.",
  needs: ["subscriber", "curator", "admin"],
  query: { type: "object", properties: pageQuery, additionalProperties: false },
  answers: ok("The bundles.", objectOf<BundleList>({ bundles: listOf(bundleSchema), next: nextOffset }, ["next"])),
  run({ rack, query }) {
    const { items: bundles, ...rest } = pageOf(rack.settings.bundles(), query as PageQuery);
    return { body: { bundles, ...rest } };
  },
});

const put = defineRoute({
  method: "PUT",
  path: "/bundles/{name}",
  id: "putBundle",
  group: "bundles",
  summary: "Create or replace a bundle.",
  needs: ["curator", "admin"],
  params: byName,
  body: {
    type: "object",
    properties: { description: { type: "string", default: "" }, required: { ...texts, default: [] }, optional: { ...texts, default: [] } },
    additionalProperties: false,
  },
  answers: ok("The current bundle.", bundleSchema),
  async run({ rack, identity, params, body }) {
    await rack.settings.set(`bundles.${params.name}`, body, identity);
    return { body: rack.settings.bundles().find(({ name }) => name === params.name) };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/bundles/{name}",
  id: "removeBundle",
  group: "bundles",
  summary: "Remove a bundle.",
  needs: ["curator", "admin"],
  params: byName,
  answers: nothing,
  async run({ rack, identity, params }) {
    const key = `bundles.${params.name}`;
    if (rack.settings.get(key) === undefined) throw noBundle(params.name);
    await rack.settings.set(key, null, identity);
    return { status: 204 };
  },
});

const resolve = defineRoute({
  method: "GET",
  path: "/bundles/{name}/resolve",
  id: "resolveBundle",
  group: "bundles",
  summary: "Show which tools of a bundle the caller may use, and which are missing.",
  params: byName,
  query: { type: "object", properties: runAsParameters, additionalProperties: false },
  answers: ok(
    "In the order of the bundle.",
    objectOf<ResolvedBundle>({
      name: text,
      tools: texts,
      missing: { ...texts, description: "By name, as far as the caller may know of them." },
      missingCount: { type: "integer" },
      missingOptional: { ...texts, description: "The same for optional tools." },
      missingOptionalCount: { type: "integer" },
    }),
  ),
  run: (request) => ({ body: resolveBundle(request, request.params.name, callerFor(request, request.query)) }),
});

export const bundleRoutes: RoutesOf<BundleAnswers> = [list, put, remove, resolve];
