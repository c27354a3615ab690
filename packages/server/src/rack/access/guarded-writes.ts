import type { Registry } from "@toolrack/core";
import { isObject, mergeJson } from "@toolrack/core/internal";
import type { ScanFinding } from "@toolrack/core/scan";
import { type Breadcrumb, type BreadcrumbStore, type JsonObject, type ProblemOptions, StoreError, type WriteResult } from "@toolrack/store";
import { calledTools } from "../programs/kinds/called-tools.ts";
import { demandFreeName } from "./taken-name.ts";

export interface WriteGuard {
  readonly isAdmin: boolean;
  readonly registry: Pick<Registry, "get" | "entries">;
  /** Why a stored definition could not run. @default it is not asked */
  readonly problemOf?: DefinitionProblem | undefined;
  /** The kinds of definitions that this server knows how to run. @default none */
  readonly kinds?: readonly string[] | undefined;
  /** What the scanner finds in a stored program or chain. @default it is not asked */
  readonly findingsOf?: DefinitionFindings | undefined;
}

export type DefinitionProblem = (
  definition: Pick<Breadcrumb, "title" | "context">,
  options?: ProblemOptions,
) => Promise<string | undefined>;

export type DefinitionFindings = (definition: Pick<Breadcrumb, "title" | "context">) => Promise<readonly ScanFinding[]>;

/**
 * The same store, but it refuses to write records that have operations of their own: secrets, and configurations of tools, which say where
 * a tool sends its secrets and are checked when they are saved. An admin may write configurations directly. A definition under the name of
 * a tool that is not stored is refused, because it could never be called; so is one of a kind that this server knows and that could not run.
 * Another kind, or a handler of another process, may run elsewhere: such a definition is stored, and nothing approves it here.
 */
export function guardWrites(store: BreadcrumbStore, guard: WriteGuard): BreadcrumbStore {
  const { isAdmin, registry, problemOf, kinds } = guard;
  const demand = (schemaName: string): void => demandWritable(schemaName, { isAdmin });

  async function demandAt(id: string): Promise<void> {
    const [newest] = await store.history(id, { limit: 1 });
    if (newest !== undefined) demand(newest.record.schema_name);
  }

  const guarded =
    <Rest extends readonly unknown[]>(write: (id: string, ...rest: Rest) => Promise<WriteResult>) =>
    async (id: string, ...rest: Rest): Promise<WriteResult> => {
      await demandAt(id);
      return write(id, ...rest);
    };
  const writes: Partial<BreadcrumbStore> = {
    async put(draft, options) {
      demand(draft.schema_name);
      demandFreeName(registry, { schema_name: draft.schema_name, context: draft.context ?? {} });
      // What the owner creates is approved by that, so it is compared with the tools that are here.
      const isDraft = draft.version !== undefined || options?.undecided === true || store.actor.approvesOwn !== true;
      await demandRunnable({ problemOf, kinds }, draft, { alone: isDraft });
      if (draft.id !== undefined) await demandAt(draft.id);
      if (isDraft || !(await needsReview(guard, draft))) return store.put(draft, options);
      return store.put(draft, { ...options, undecided: true });
    },
    restore: guarded(store.restore),
    remove: guarded(store.remove),
    addTags: guarded(store.addTags),
    removeTags: guarded(store.removeTags),
    mergeContext: guarded(async (id, patch) => {
      const known = problemOf === undefined ? undefined : await store.get(id);
      if (known !== undefined && isObject(patch))
        await demandRunnable({ problemOf, kinds }, { ...known, context: mergeJson(known.context, patch) as JsonObject }, { alone: true });
      return store.mergeContext(id, patch);
    }),
    transaction: (work) => store.transaction((tx) => work(guardWrites(tx, guard))),
  };
  return Object.assign(Object.create(store) as BreadcrumbStore, writes);
}

/** Creating such a definition does not approve it: somebody looks at the findings first, or it cannot run here. */
async function needsReview({ problemOf, findingsOf }: WriteGuard, draft: StoredDraft): Promise<boolean> {
  const { schema_name, title = "", context = {} } = draft;
  if (schema_name !== "tool.definition.v1") return false;
  if ((await problemOf?.({ title, context }, { alone: true })) !== undefined) return true;
  if (findingsOf === undefined || calledTools({ context }) === undefined) return false;
  return (await findingsOf({ title, context })).some(({ severity }) => severity === "danger");
}

type StoredDraft = { readonly schema_name: string; readonly title?: string; readonly context?: JsonObject };

/** Throws, with the place and the way out, for a definition of a known kind that could not run. */
export async function demandRunnable(
  { problemOf, kinds = [] }: Pick<WriteGuard, "problemOf" | "kinds">,
  draft: StoredDraft,
  options: ProblemOptions = {},
): Promise<void> {
  const { schema_name, title = "", context = {} } = draft;
  const { kind } = (context["implementation"] ?? {}) as { readonly kind?: unknown };
  if (problemOf === undefined || schema_name !== "tool.definition.v1" || !kinds.includes(String(kind))) return;
  const problem = await problemOf({ title, context }, options);
  if (problem !== undefined) throw new StoreError("RECORD_INVALID", problem);
}

/** Throws for records that have operations of their own. */
export function demandWritable(schemaName: string, { isAdmin }: { readonly isAdmin: boolean }): void {
  if (schemaName === "tool.secret.v1")
    throw new StoreError("FORBIDDEN", "Records of secrets cannot be written directly. Set the secret with PUT /api/v1/secrets/{name}.");
  if (schemaName === "tool.config.v1" && !isAdmin)
    throw new StoreError(
      "FORBIDDEN",
      'Configurations are saved with PUT /api/v1/configs/{tool}. Writing their records directly needs the role "admin".',
    );
}
