import { auditRoutes } from "./api/audit.ts";
import { breadcrumbRoutes } from "./api/breadcrumbs.ts";
import { configRoutes } from "./api/configs.ts";
import { eventRoutes } from "./api/events.ts";
import { healthRoutes } from "./api/health.ts";
import { keyRoutes } from "./api/keys.ts";
import { lifecycleRoutes } from "./api/lifecycle.ts";
import { metricsRoutes } from "./api/metrics.ts";
import { secretRoutes } from "./api/secrets.ts";
import { usageRoutes } from "./api/usage.ts";
import type { Route } from "./http/route.ts";

/** The whole API. The HTTP app, the OpenAPI document and the clients are made from this list. */
export const routes: readonly Route[] = [
  ...breadcrumbRoutes,
  ...configRoutes,
  ...secretRoutes,
  ...lifecycleRoutes,
  ...keyRoutes,
  ...auditRoutes,
  ...usageRoutes,
  ...eventRoutes,
  ...healthRoutes,
  ...metricsRoutes,
];
