import type { Caller, ToolDefinition } from "@toolrack/core";
import { Problem } from "../../http/reply/problem.ts";
import type { RouteRequest } from "../../http/route.ts";
import type { Settings } from "../../rack/rack.ts";
import { seesOthers } from "./callers.ts";

export type BundleInfo = ReturnType<Settings["bundles"]>[number];

/** The query parameter by which a request chooses a bundle. */
export const bundleParameter = {
  bundle: { type: "string", minLength: 1, maxLength: 100, description: "Only the tools of this bundle, in its order." },
} as const;

/** The tools of a bundle for one caller. */
export interface ResolvedBundle {
  readonly name: string;
  readonly tools: readonly string[];
  readonly missing: readonly string[];
  readonly missingCount: number;
  /** The same for optional tools. */
  readonly missingOptional: readonly string[];
  readonly missingOptionalCount: number;
}

/** Throws 404 for a name that no bundle has. */
export function findBundle({ settings }: Pick<RouteRequest["rack"], "settings">, name: string): BundleInfo {
  const bundle = settings.bundles().find((one) => one.name === name);
  if (bundle === undefined) throw noBundle(name);
  return bundle;
}

export function noBundle(name: string): Problem {
  return new Problem(404, "NOT_FOUND", `There is no bundle "${name.slice(0, 100)}". GET /api/v1/bundles lists them.`);
}

export function resolveBundle(request: Pick<RouteRequest, "rack" | "identity">, name: string, caller: Caller): ResolvedBundle {
  const { rack, identity } = request;
  const bundle = findBundle(rack, name);
  const view = rack.registry.view(caller);
  const isMissing = (tool: string): boolean => view.offered(tool) === undefined;
  // The caller must not learn whether a tool is hidden or does not exist.
  const isKnown = (tool: string): boolean => seesOthers(identity) || view.decision(tool)?.allowed === true;
  const missing = bundle.required.filter(isMissing);
  const missingOptional = bundle.optional.filter(isMissing);
  return {
    name: bundle.name,
    tools: namesIn(bundle).filter((tool) => !isMissing(tool)),
    missing: missing.filter(isKnown),
    missingCount: missing.length,
    missingOptional: missingOptional.filter(isKnown),
    missingOptionalCount: missingOptional.length,
  };
}

/** The tools that a model of the caller is shown; those of a bundle, in its order, if the request names one. */
export function toolsFor({ rack }: Pick<RouteRequest, "rack">, caller: Caller, bundle: string | undefined): readonly ToolDefinition[] {
  const view = rack.listed.view(caller);
  return bundle === undefined ? view.tools : namesIn(findBundle(rack, bundle)).flatMap((name) => view.offered(name) ?? []);
}

/** The tools of a bundle, each with its position. */
export function membersOf(rack: Pick<RouteRequest["rack"], "settings">, name: string): ReadonlyMap<string, number> {
  return new Map(namesIn(findBundle(rack, name)).map((tool, position) => [tool, position]));
}

function namesIn({ required, optional }: Pick<BundleInfo, "required" | "optional">): readonly string[] {
  return [...new Set([...required, ...optional])];
}
