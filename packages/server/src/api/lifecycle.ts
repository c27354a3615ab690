import {
  approveDefinition,
  type ApprovingDecision,
  archiveDefinition,
  type Breadcrumb,
  type BreadcrumbStore,
  type Checked,
  definitionHash,
  deprecateDefinition,
  isSeen,
  type RecordedDecision,
  rejectDefinition,
  stateOf,
  type ToolLifecycle,
  validateDefinition,
} from "@toolrack/store";
import { defineRoute, type Route, type RouteRequest, type RoutesOf } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { decisionSchema, etagOf, notFound, recordSchema } from "./shared/records.ts";
import { visibleRecords } from "./_visible.ts";

/** A stored definition of a tool, and its state. */
export interface DefinitionInfo {
  readonly id: string;
  readonly name: string;
  readonly state: ToolLifecycle;
  readonly version: number;
  readonly updated_at: string;
  readonly updated_by: string;
  /** Of the current content. A decision is valid for the hash that it names. */
  readonly hash: string;
  readonly review?: RecordedDecision;
  /** The host of its endpoint, where that is not on the public internet and `tools.records.allowHosts` does not name it. */
  readonly privateHost?: string;
}

export interface DefinitionList {
  readonly definitions: readonly DefinitionInfo[];
}

export interface LifecycleAnswers {
  "GET /lifecycle": DefinitionList;
  "POST /lifecycle/{id}/validate": Checked;
  "POST /lifecycle/{id}/approve": Breadcrumb;
  "POST /lifecycle/{id}/reject": Breadcrumb;
  "POST /lifecycle/{id}/deprecate": Breadcrumb;
  "POST /lifecycle/{id}/archive": Breadcrumb;
}

const states = ["draft", "validated", "approved", "deprecated", "archived", "changed"] as const satisfies readonly ToolLifecycle[];
const state = { enum: states } as const;
const byId = { type: "object", properties: { id: { type: "string" } }, required: ["id"], additionalProperties: false } as const;
const reason = { type: "string", minLength: 1, maxLength: 2_000, description: "Stored with the definition and in the audit log." } as const;

const hash = {
  type: "string",
  description: "Of the reviewed content, as in the list. Refused if the definition has changed since.",
} as const;

const list = defineRoute({
  method: "GET",
  path: "/lifecycle",
  id: "listDefinitions",
  group: "lifecycle",
  summary: "List the stored definitions with their states: those that people and agents wrote.",
  query: { type: "object", properties: { state }, additionalProperties: false },
  answers: ok(
    "Those that the caller may read.",
    objectOf<DefinitionList>({
      definitions: listOf(
        objectOf<DefinitionInfo>(
          {
            id: { type: "string" },
            name: { type: "string" },
            state,
            version: { type: "integer" },
            updated_at: { type: "string" },
            updated_by: { type: "string" },
            hash: { type: "string", description: "Of the current content. A decision is valid for the hash that it names." },
            review: decisionSchema,
            privateHost: {
              type: "string",
              description: "Host of its endpoint that is not on the public internet, and that tools.records.allowHosts does not name.",
            },
          },
          ["review", "privateHost"],
        ),
      ),
    }),
  ),
  async run(request) {
    const { rack, identity, query } = request;
    const store = rack.store.as(identity.actor);
    const isShown = visibleRecords(request);
    const found = await store.searchBreadcrumbs({ schema_name: "tool.definition.v1", includeContext: true });
    const definitions = found.flatMap(({ context, ...record }) =>
      context === undefined || isSeen(record) || !isShown({ ...record, context }) ? [] : [toDefinition({ ...record, context }, rack)],
    );
    return { body: { definitions: definitions.filter((definition) => query.state === undefined || definition.state === query.state) } };
  },
});

function toDefinition(record: Breadcrumb, rack: RouteRequest["rack"]): DefinitionInfo {
  const { id, version, updated_at, updated_by, context, decision: review } = record;
  const privateHost = rack.privateHostOf(record);
  return {
    id,
    name: String(context["name"]),
    state: stateOf(record),
    version,
    updated_at,
    updated_by,
    hash: definitionHash(record),
    ...(review !== undefined && { review }),
    ...(privateHost !== undefined && { privateHost }),
  };
}

const validate = defineRoute({
  method: "POST",
  path: "/lifecycle/{id}/validate",
  id: "validateDefinition",
  group: "lifecycle",
  summary: "Check the schemas and examples of a definition; a draft without errors becomes validated.",
  needs: ["emitter", "curator", "admin"],
  params: byId,
  answers: ok<Checked>("What was found.", {
    oneOf: [
      objectOf<Extract<Checked, { readonly ok: true }>>({ ok: { const: true }, record: recordSchema }),
      objectOf<Extract<Checked, { readonly ok: false }>>({ ok: { const: false }, problems: { type: "array", items: { type: "string" } } }),
    ],
  }),
  async run(request) {
    const { rack, identity, params } = request;
    const store = rack.store.as(identity.actor);
    const [newest] = await store.history(params.id, { limit: 1 });
    if (newest === undefined || !visibleRecords(request)(newest.record)) throw notFound(`definition "${params.id}"`);
    return { body: await validateDefinition(store, params.id) };
  },
});

type Decide = (store: BreadcrumbStore, id: string, decision: ApprovingDecision & { readonly successor?: string }) => Promise<Breadcrumb>;

function decision<Verb extends "approve" | "reject" | "deprecate" | "archive">(
  verb: Verb,
  summary: string,
  decide: Decide,
): Route<"POST", `/lifecycle/{id}/${Verb}`, Breadcrumb> {
  return defineRoute({
    method: "POST",
    path: `/lifecycle/{id}/${verb}`,
    id: `${verb}Definition`,
    group: "lifecycle",
    summary,
    needs: ["curator", "admin"],
    params: byId,
    body: {
      type: "object",
      properties: { reason, hash, ...(verb === "deprecate" && { successor: { type: "string" } }) },
      required: verb === "approve" ? ["reason", "hash"] : ["reason"],
      additionalProperties: false,
    },
    answers: ok("The current definition; its version is the ETag.", recordSchema),
    async run({ rack, identity, params, body }) {
      const { reason: why, ...more } = body as ApprovingDecision & { readonly successor?: string };
      const store = rack.store.as(identity.actor);
      if ((await store.history(params.id, { limit: 1 })).length === 0) throw notFound(`definition "${params.id}"`);
      const record = await decide(store, params.id, { reason: why, ...more, problemOf: rack.definitionProblem });
      return { body: record, headers: { etag: etagOf(record) } };
    },
  });
}

export const lifecycleRoutes: RoutesOf<LifecycleAnswers> = [
  list,
  validate,
  decision(
    "approve",
    "Approve a validated definition, exactly the content with this hash: from now on it can be called.",
    approveDefinition,
  ),
  decision("reject", "Send a definition back to draft, with the reason for its author.", rejectDefinition),
  decision("deprecate", "Mark a definition as deprecated: still callable, with a warning that names the successor.", deprecateDefinition),
  decision("archive", "Take a definition out of use; its history stays.", archiveDefinition),
];
