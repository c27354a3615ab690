import type { ScanFinding } from "@toolrack/core/scan";
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
  type JsonObject,
  type RecordedDecision,
  rejectDefinition,
  stateOf,
  type ToolLifecycle,
  validateDefinition,
} from "@toolrack/store";
import { defineRoute, type Route, type RouteRequest, type RoutesOf } from "../http/route.ts";
import { calledTools } from "../rack/programs/kinds/called-tools.ts";
import { type FieldsOf, listOf, objectOf, ok } from "./_answers.ts";
import { findingSchema } from "./shared/definitions.ts";
import { decisionSchema, etagOf, notFound, recordSchema } from "./shared/records.ts";
import { visibleRecords, visibleTools } from "./_visible.ts";

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
  /** Why nothing on this server can run it, though it may be called; for one definition also why it should not be approved. */
  readonly problem?: string;
}

export interface DefinitionList {
  readonly definitions: readonly DefinitionInfo[];
}

/** A stored definition with what a person wants to know before deciding about it. */
export interface StoredDefinition extends DefinitionInfo {
  /** How it runs: "http", "code", "chain", "local" or a kind of a module. */
  readonly kind: string;
  /** As it is stored: the endpoint, the program, the steps. */
  readonly implementation?: JsonObject;
  /** The tools that a program or a chain may call. */
  readonly calls?: readonly string[];
  /** What the scanner finds in its words, its program or its steps. */
  readonly findings: readonly ScanFinding[];
  /** The order of a chain. */
  readonly order?: ChainGraph;
}

/** The steps of a chain by levels, and which waits for which. */
export interface ChainGraph {
  readonly levels: readonly (readonly string[])[];
  /** Each is the earlier step and the later one. */
  readonly edges: readonly (readonly string[])[];
}

export interface LifecycleAnswers {
  "GET /lifecycle": DefinitionList;
  "GET /lifecycle/{id}": StoredDefinition;
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
  description: "The hash of the content that was reviewed; another content is answered with an error.",
} as const;

const definitionFields: FieldsOf<DefinitionInfo> = {
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
  problem: {
    type: "string",
    description:
      "Why nothing on this server can run it. In the list only of definitions that may be called; of a single one also why it should not be approved.",
  },
};

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
      definitions: listOf(objectOf<DefinitionInfo>(definitionFields, ["review", "privateHost", "problem"])),
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
  const problem = rack.definitionFaults().get(id)?.reason;
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
    ...(problem !== undefined && { problem }),
  };
}

const texts = { type: "array", items: { type: "string" } } as const;

const show = defineRoute({
  method: "GET",
  path: "/lifecycle/{id}",
  id: "showStoredDefinition",
  group: "lifecycle",
  summary: "Show a stored definition: how it runs, which tools it may call, what is wrong with it, and what the scanner finds.",
  needs: ["subscriber", "emitter", "curator", "admin"],
  params: byId,
  answers: ok(
    "The definition, approved or not.",
    objectOf<StoredDefinition>(
      {
        ...definitionFields,
        kind: { type: "string" },
        implementation: { type: "object", additionalProperties: true },
        calls: { ...texts, description: "The tools that a program or a chain may call, of those that its caller may call." },
        findings: listOf(findingSchema),
        order: objectOf<ChainGraph>({
          levels: { type: "array", items: texts, description: "Steps of one level run at the same time." },
          edges: { type: "array", items: texts, description: "The earlier step and the later one." },
        }),
      },
      ["review", "privateHost", "implementation", "calls", "problem", "order"],
    ),
  ),
  async run(request) {
    const { rack, identity, params } = request;
    const record = await rack.store.as(identity.actor).get(params.id);
    if (record?.schema_name !== "tool.definition.v1" || isSeen(record) || !visibleRecords(request)(record))
      throw notFound(`definition "${params.id}"`);
    const { implementation } = record.context;
    const { kind = "local" } = (implementation ?? {}) as { readonly kind?: string };
    const sees = visibleTools(request);
    const problem = await rack.definitionProblem(record, { sees: (tool) => sees(tool) });
    const calls = calledTools(record);
    const order = kind === "chain" ? await graphOf(implementation) : undefined;
    return {
      body: {
        ...toDefinition(record, rack),
        kind,
        ...(implementation !== undefined && { implementation: implementation as JsonObject }),
        ...(calls !== undefined && { calls }),
        ...(problem !== undefined && { problem }),
        findings: await rack.definitionFindings(record),
        ...(order !== undefined && { order }),
      },
    };
  },
});

async function graphOf(implementation: unknown): Promise<ChainGraph | undefined> {
  const { checkChain } = await import("@toolrack/code");
  const { kind: _, ...chain } = implementation as { readonly kind: string };
  const { levels, edges } = checkChain(chain as never);
  return levels.length === 0 ? undefined : { levels, edges };
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
  show,
  validate,
  decision("approve", "Approve a validated definition by the hash of its content. It can be called after that.", approveDefinition),
  decision("reject", "Send a definition back to draft, with the reason for its author.", rejectDefinition),
  decision("deprecate", "Mark a definition as deprecated: still callable, with a warning that names the successor.", deprecateDefinition),
  decision("archive", "Archive a definition: it cannot be called, and its history is kept.", archiveDefinition),
];
