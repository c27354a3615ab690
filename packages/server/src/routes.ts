import { agentOpenApiRoutes } from "./api/agent-openapi.ts";
import { agentRunRoutes } from "./api/agent-runs.ts";
import { agentRoutes } from "./api/agents.ts";
import { approvalRoutes } from "./api/approvals.ts";
import { assemblyRoutes } from "./api/assembly.ts";
import { auditRoutes } from "./api/audit.ts";
import { breadcrumbRoutes } from "./api/breadcrumbs.ts";
import { bundleRoutes } from "./api/bundles.ts";
import { callRoutes } from "./api/calls.ts";
import { canvasRoutes } from "./api/canvases.ts";
import { configChangeRoutes } from "./api/config-changes.ts";
import { configRoutes } from "./api/configs.ts";
import { definitionRoutes } from "./api/definitions.ts";
import { eventRoutes } from "./api/events.ts";
import { exportRoutes } from "./api/exports.ts";
import { grantRoutes } from "./api/grants.ts";
import { healthRoutes } from "./api/health.ts";
import { jobRoutes } from "./api/jobs.ts";
import { hookRoutes } from "./api/hooks.ts";
import { keyRoutes } from "./api/keys.ts";
import { lifecycleRoutes } from "./api/lifecycle.ts";
import { lintRoutes } from "./api/lint.ts";
import { lockRoutes } from "./api/lock.ts";
import { scheduleRoutes } from "./api/schedules.ts";
import { scanRoutes } from "./api/scan.ts";
import { metricsRoutes } from "./api/metrics.ts";
import { openApiRoutes } from "./api/openapi.ts";
import { policyDraftRoutes } from "./api/policy-drafts.ts";
import { policyProfileRoutes } from "./api/policy-profiles.ts";
import { policyRoutes } from "./api/policy.ts";
import { overlayRoutes } from "./api/overlays.ts";
import { programRoutes } from "./api/programs.ts";
import { proofRoutes } from "./api/proofs.ts";
import { readyRoutes } from "./api/ready.ts";
import { recordTransferRoutes } from "./api/record-transfer.ts";
import { retentionRoutes } from "./api/retention.ts";
import { runAsRoutes } from "./api/run-as.ts";
import { searchRoutes } from "./api/search.ts";
import { secretRoutes } from "./api/secrets.ts";
import { sessionRoutes } from "./api/sessions.ts";
import { settingRoutes } from "./api/settings.ts";
import { signInRoutes } from "./api/sign-in.ts";
import { sourceRoutes } from "./api/sources.ts";
import { statusRoutes } from "./api/status.ts";
import { toolRoutes } from "./api/tools.ts";
import { triggerRoutes } from "./api/triggers.ts";
import { usageRoutes } from "./api/usage.ts";
import { webhookRoutes } from "./api/webhooks.ts";
import { workerRoutes } from "./api/workers.ts";
import type { Route } from "./http/route.ts";

/** The whole API. The HTTP app, the OpenAPI document and the clients are generated from this list. */
export const routes: readonly Route[] = [
  ...toolRoutes,
  ...searchRoutes,
  ...lintRoutes,
  ...scanRoutes,
  ...callRoutes,
  ...policyRoutes,
  ...policyDraftRoutes,
  ...policyProfileRoutes,
  ...agentRoutes,
  ...agentRunRoutes,
  ...sessionRoutes,
  ...agentOpenApiRoutes,
  ...approvalRoutes,
  ...definitionRoutes,
  ...bundleRoutes,
  ...sourceRoutes,
  ...openApiRoutes,
  ...workerRoutes,
  ...exportRoutes,
  ...assemblyRoutes,
  ...retentionRoutes,
  ...runAsRoutes,
  ...settingRoutes,
  ...configChangeRoutes,
  ...breadcrumbRoutes,
  ...recordTransferRoutes,
  ...configRoutes,
  ...secretRoutes,
  ...lifecycleRoutes,
  ...keyRoutes,
  ...signInRoutes,
  ...auditRoutes,
  ...proofRoutes,
  ...overlayRoutes,
  ...programRoutes,
  ...jobRoutes,
  ...scheduleRoutes,
  ...triggerRoutes,
  ...webhookRoutes,
  ...hookRoutes,
  ...canvasRoutes,
  ...grantRoutes,
  ...lockRoutes,
  ...usageRoutes,
  ...eventRoutes,
  ...healthRoutes,
  ...readyRoutes,
  ...statusRoutes,
  ...metricsRoutes,
];
