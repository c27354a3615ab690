import {
  approvalsApprove,
  approvalsDeny,
  approvalsForget,
  approvalsList,
  approvalsRemembered,
  approvalsShow,
  approvalsSource,
} from "./commands/approvals.ts";
import { approve } from "./commands/approve.ts";
import { assemble } from "./commands/assemble.ts";
import { auditList, auditVerify } from "./commands/audit.ts";
import { bundles } from "./commands/bundles.ts";
import { call } from "./commands/call.ts";
import { calls } from "./commands/calls.ts";
import type { Command } from "./commands/command.ts";
import { completionOf } from "./commands/completion.ts";
import { configApprove, configStatus } from "./commands/config-file.ts";
import { config } from "./commands/config.ts";
import { connect } from "./commands/connect.ts";
import { diff } from "./commands/diff.ts";
import { doctor } from "./commands/doctor.ts";
import { exportTools } from "./commands/export.ts";
import { grantsAdd, grantsList, grantsRevoke } from "./commands/grants.ts";
import { history } from "./commands/history.ts";
import { init } from "./commands/init.ts";
import {
  hooksDeliveries,
  hooksList,
  hooksPause,
  hooksRemove,
  hooksReplay,
  hooksResume,
  hooksRotate,
  hooksSend,
  hooksShow,
  hooksTake,
  hooksTest,
} from "./commands/hooks.ts";
import {
  schedulesAdd,
  schedulesList,
  schedulesPause,
  schedulesRemove,
  schedulesResume,
  schedulesRun,
  schedulesShow,
} from "./commands/schedules.ts";
import { triggersAdd, triggersList, triggersPause, triggersRemove, triggersResume, triggersTest } from "./commands/triggers.ts";
import { run } from "./commands/run.ts";
import { sessionsCancel, sessionsList, sessionsResume, sessionsSend, sessionsShow } from "./commands/sessions.ts";
import { jobsCancel, jobsDead, jobsList, jobsReplay, jobsRun, jobsShow } from "./commands/jobs.ts";
import { keysCreate, keysList, keysRevoke } from "./commands/keys.ts";
import { lint } from "./commands/lint.ts";
import { list } from "./commands/list.ts";
import { lock } from "./commands/lock.ts";
import { mcp } from "./commands/mcp.ts";
import { open } from "./commands/open.ts";
import { overlayConfirm, overlayList, overlayRemove, overlaySet } from "./commands/overlay.ts";
import { openapiPlan } from "./commands/openapi.ts";
import { policyExplain, policyList, policyMatrix, policySimulate } from "./commands/policy.ts";
import { programsCancel, programsList, programsRun, programsShow } from "./commands/programs.ts";
import { proof, proofLog, proofVerify } from "./commands/proof.ts";
import { bootstrap, recordsExport, recordsImport } from "./commands/records.ts";
import { restore } from "./commands/restore.ts";
import { scan } from "./commands/scan.ts";
import { search } from "./commands/search.ts";
import { secretsList, secretsRemove, secretsRewrap, secretsSet } from "./commands/secrets.ts";
import { dev, serve } from "./commands/serve.ts";
import { show } from "./commands/show.ts";
import { sourcesAdd, sourcesApprove, sourcesImport, sourcesList, sourcesRefresh, sourcesRemove } from "./commands/sources.ts";
import { stats } from "./commands/stats.ts";
import { status } from "./commands/status.ts";
import { backup, storeBackup, storeCopy, storeRestore } from "./commands/store.ts";
import { toolsAddChain, toolsAddCode, toolsAddHttp } from "./commands/tools.ts";
import { disable, enable } from "./commands/switch.ts";

import { worker, workersDrain, workersList } from "./commands/workers.ts";

/** What the commands of a family are about; the help shows it beside the first word. */
export const families: Readonly<Record<string, string>> = {
  policy: "Who may use which tool, and why.",
  secrets: "Secrets that tools and sources use. Values are never shown.",
  approvals: "What waits for a person: calls, and definitions of tools; and approvals that are remembered.",
  programs: "Programs over tools: run one, and see those that wait for a person.",
  schedules: "Schedules: calls at times.",
  triggers: "Triggers: calls after events.",
  hooks: "Webhooks that are sent and taken.",
  sessions: "Sessions of agents: what was said, by whom, and what was called.",
  jobs: "Jobs: calls that run later, or longer than anybody waits for them.",
  audit: "The audit log, and whether it is intact.",
  sources: "Where tools come from: MCP servers, APIs, modules, records.",
  openapi: "APIs with an OpenAPI document, before they become a source.",
  workers: "Workers, which run the handlers of tools elsewhere.",
  overlay: "What is changed here about tools of others.",
  grants: "Which tools of others may reach for programs, hosts, files or secrets.",
  keys: "API keys of the server.",
  tools: "Tools that are stored as records: HTTP endpoints, programs, chains of calls.",
  records: "All records of the store, as files.",
  store: "The whole store: back up, restore, copy.",
};

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  init,
  serve,
  dev,
  mcp,
  connect,
  open,
  list,
  show,
  search,
  call,
  toolsAddHttp,
  toolsAddCode,
  toolsAddChain,
  lint,
  scan,
  exportTools,
  assemble,
  bundles,
  policyList,
  policyExplain,
  policySimulate,
  policyMatrix,
  enable,
  disable,
  history,
  diff,
  restore,
  approve,
  config,
  configStatus,
  configApprove,
  secretsList,
  secretsSet,
  secretsRemove,
  secretsRewrap,
  approvalsList,
  approvalsShow,
  approvalsSource,
  approvalsApprove,
  approvalsDeny,
  approvalsRemembered,
  approvalsForget,
  programsList,
  programsShow,
  programsRun,
  programsCancel,
  run,
  sessionsList,
  sessionsShow,
  sessionsSend,
  sessionsCancel,
  sessionsResume,
  jobsList,
  jobsShow,
  jobsDead,
  jobsRun,
  jobsReplay,
  jobsCancel,
  schedulesList,
  schedulesAdd,
  schedulesShow,
  schedulesRun,
  schedulesPause,
  schedulesResume,
  schedulesRemove,
  triggersList,
  triggersAdd,
  triggersTest,
  triggersPause,
  triggersResume,
  triggersRemove,
  hooksList,
  hooksSend,
  hooksTake,
  hooksShow,
  hooksDeliveries,
  hooksReplay,
  hooksTest,
  hooksPause,
  hooksResume,
  hooksRotate,
  hooksRemove,
  calls,
  stats,
  status,
  auditList,
  auditVerify,
  lock,
  proof,
  proofLog,
  proofVerify,
  sourcesList,
  sourcesAdd,
  sourcesImport,
  sourcesApprove,
  sourcesRefresh,
  sourcesRemove,
  openapiPlan,
  worker,
  workersList,
  workersDrain,
  overlayList,
  overlaySet,
  overlayConfirm,
  overlayRemove,
  grantsList,
  grantsAdd,
  grantsRevoke,
  keysList,
  keysCreate,
  keysRevoke,
  recordsExport,
  recordsImport,
  bootstrap,
  backup,
  storeBackup,
  storeRestore,
  storeCopy,
  doctor,
  completionOf(() => commands),
];
