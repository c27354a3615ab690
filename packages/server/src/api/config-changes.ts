import { defineRoute, type RoutesOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import type { ConfigChanges, PendingConfig } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

export interface ConfigState {
  readonly pending?: PendingConfig;
  /** Keys that were changed in the file and are in force only after a restart. */
  readonly restart: readonly string[];
}

export interface ApprovedConfig extends ConfigState {
  readonly approved: PendingConfig;
}

export interface ConfigChangeAnswers {
  "GET /config/pending": ConfigState;
  "POST /config/approve": ApprovedConfig;
}

const text = { type: "string" } as const;
const pendingSchema = objectOf<PendingConfig>({
  file: text,
  digest: { ...text, description: "Of the exact bytes of the file to approve." },
  message: text,
  waiting: listOf(objectOf<PendingConfig["waiting"][number]>({ part: text, key: text, before: {}, after: {} }, ["before", "after"])),
  restart: { ...listOf<string>(text), description: "Keys that take effect after a restart." },
});

const restartSchema = {
  ...listOf<string>(text),
  description: "Keys that were changed in the file and are in force only after a restart, whether or not something waits.",
};

const show = defineRoute({
  method: "GET",
  path: "/config/pending",
  id: "showPendingConfig",
  group: "settings",
  summary: "Show the changes of the configuration file that wait for approval: each value before and after, without secrets.",
  needs: ["admin", "owner"],
  answers: ok(
    "The change that waits, where one does, and what needs a restart.",
    objectOf<ConfigState>({ pending: pendingSchema, restart: restartSchema }, ["pending"]),
  ),
  async run({ rack }) {
    // Reads the file now, whether or not the change was noticed.
    await rack.settings.reload();
    return { body: stateOf(rack.configChanges) };
  },
});

const approve = defineRoute({
  method: "POST",
  path: "/config/approve",
  id: "approveConfig",
  group: "settings",
  summary: "Approve the changes of the configuration file: exactly the file with this digest.",
  needs: ["admin", "owner"],
  body: { type: "object", properties: { digest: text }, required: ["digest"], additionalProperties: false },
  answers: ok(
    "What was approved, what still waits, and what needs a restart.",
    objectOf<ApprovedConfig>({ approved: pendingSchema, pending: pendingSchema, restart: restartSchema }, ["pending"]),
  ),
  async run({ rack, identity, body }) {
    const { configChanges } = rack;
    const waiting = configChanges.pending();
    if (waiting === undefined)
      throw new Problem(
        409,
        "STATE_INVALID",
        "No change of the configuration waits for approval. See what holds with: toolrack config status.",
      );
    if (waiting.digest !== body.digest)
      throw new Problem(
        409,
        "STATE_INVALID",
        `The configuration has changed since: its digest is ${waiting.digest} now. Look at it again, and approve that one.`,
      );
    const approved = await configChanges.approve(body.digest, identity);
    return { body: { approved: approved ?? waiting, ...stateOf(configChanges) } };
  },
});

export const configChangeRoutes: RoutesOf<ConfigChangeAnswers> = [show, approve];

function stateOf(changes: ConfigChanges): ConfigState {
  const pending = changes.pending();
  return { ...(pending !== undefined && { pending }), restart: changes.afterRestart() };
}
