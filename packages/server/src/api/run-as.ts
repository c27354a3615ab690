import type { Caller } from "@toolrack/core";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { callerFor, callerSchema, shownCallerSchema } from "./shared/callers.ts";

/** What another caller can use. */
export interface CallerView {
  readonly caller: Caller;
  readonly tools: readonly string[];
  readonly asks: readonly string[];
  readonly hidden: number;
}

export interface RunAsAnswers {
  "POST /run-as": CallerView;
}

const text = { type: "string" } as const;

/**
 * Shows what another caller sees. Listing, showing, calling and exporting take the same caller as `runAs`; the audit log has the admin's own
 * name.
 */
const look = defineRoute({
  method: "POST",
  path: "/run-as",
  id: "runAs",
  group: "run-as",
  summary:
    "Show what another caller may use. The operations for listing, showing, calling and exporting tools take the same caller as runAs.",
  needs: ["admin"],
  body: { type: "object", properties: { caller: callerSchema }, required: ["caller"], additionalProperties: false },
  answers: ok(
    "As that caller sees it.",
    objectOf<CallerView>({ caller: shownCallerSchema, tools: listOf(text), asks: listOf(text), hidden: { type: "integer" } }),
  ),
  async run(request) {
    const { rack, identity, body } = request;
    const caller = callerFor(request, { runAs: body.caller as Caller });
    const { tools, decision } = rack.registry.view(caller);
    await rack.audit({ kind: "run-as", subject: caller.agent ?? "a stranger", by: identity, body: { caller } });
    const names = tools.map(({ name }) => name);
    const asks = names.filter((name) => decision(name)?.ask !== undefined);
    return { body: { caller, tools: names, asks, hidden: rack.registry.count - names.length } };
  },
});

export const runAsRoutes: RoutesOf<RunAsAnswers> = [look];
