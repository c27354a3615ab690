import { Problem } from "../http/problem.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

const text = { type: "string" } as const;
const pendingSchema = objectOf({
  file: text,
  digest: { ...text, description: "Of the exact bytes of the file: what is approved." },
  message: text,
  waiting: listOf(objectOf({ part: text, key: text, before: {}, after: {} }, ["before", "after"])),
  restart: { ...listOf(text), description: "Keys that hold after a restart." },
});

const show = defineRoute({
  method: "GET",
  path: "/config/pending",
  id: "showPendingConfig",
  group: "settings",
  summary: "Show what changed in the configuration file and waits for approval: each value before and after, those of secrets left out.",
  needs: ["admin", "owner"],
  answers: ok("The change that waits; nothing where none does.", objectOf({ pending: pendingSchema }, ["pending"])),
  run({ rack }) {
    const pending = rack.configChanges.pending();
    return { body: pending === undefined ? {} : { pending } };
  },
});

const approve = defineRoute({
  method: "POST",
  path: "/config/approve",
  id: "approveConfig",
  group: "settings",
  summary: "Approve what changed in the configuration file: exactly the file with this digest.",
  needs: ["admin", "owner"],
  body: { type: "object", properties: { digest: text }, required: ["digest"], additionalProperties: false },
  answers: ok("What was approved, and what still waits.", objectOf({ approved: pendingSchema, pending: pendingSchema }, ["pending"])),
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
    const pending = configChanges.pending();
    return { body: { approved: approved ?? waiting, ...(pending !== undefined && { pending }) } };
  },
});

export const configChangeRoutes: readonly Route[] = [show, approve];
