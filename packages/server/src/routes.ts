import { breadcrumbRoutes } from "./api/breadcrumbs.ts";
import { healthRoutes } from "./api/health.ts";
import { metricsRoutes } from "./api/metrics.ts";
import type { Route } from "./http/route.ts";

/** The whole API. The HTTP app, the OpenAPI document and the clients are made from this list. */
export const routes: readonly Route[] = [...breadcrumbRoutes, ...healthRoutes, ...metricsRoutes];
