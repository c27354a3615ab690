import { type AnyTool, ToolError, type ToolSource } from "@toolrack/core";
import { createSafeFetch, type SafeFetchOptions } from "@toolrack/fetch";
import { isCallable, stateOf } from "../catalog/state.ts";
import type { Breadcrumb, JsonObject } from "../record/breadcrumb.ts";
import { definitionSchema } from "../record/identity.ts";
import { isObject } from "../record/json.ts";
import { seenTag, upstreamOf } from "../record/seen.ts";
import { follow, type Follower } from "../store/follow.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { toolFromRecord } from "./from-record.ts";
import { httpKind } from "./kinds/http.ts";
import type { Handler, ImplementationKind } from "./kinds/kind.ts";
import { localKind } from "./kinds/local.ts";

export interface RecordSourceOptions {
  /** Names the source in entries and events. @default "records" */
  readonly id?: string;
  /** Handlers of this process, by the id that definitions refer to. */
  readonly handlers?: Readonly<Record<string, Handler>> | ReadonlyMap<string, Handler>;
  /** Where HTTP definitions may reach. @default the public internet only */
  readonly fetch?: SafeFetchOptions;
  /** Additional kinds of implementation; one with a known name replaces it. */
  readonly kinds?: readonly ImplementationKind[];
  /** Whether a definition only describes a tool that another source serves: it is no tool of its own. @default none does */
  readonly isDescription?: (definition: Pick<Breadcrumb, "context">) => boolean;
}

export interface ProblemOptions {
  /** Nothing but the definition itself is looked at: what it refers to may come later. @default false */
  readonly alone?: boolean;
  /** Which tools exist for whoever asks. @default all */
  readonly sees?: (tool: string) => boolean;
}

/** A source of stored definitions, which can also tell about a definition that is not served yet. */
export interface RecordSource extends ToolSource {
  /** Why nothing in this process could run a definition; undefined if it can run. */
  problemOf(definition: Pick<Breadcrumb, "title" | "context">, options?: ProblemOptions): Promise<string | undefined>;
  /** The kinds of definitions that can run without code of this process: "http". */
  readonly kinds: readonly string[];
  /** Definitions that may be called and that nothing in this process can run, by the ids of their records. */
  faults(): ReadonlyMap<string, DefinitionFault>;
}

export interface DefinitionFault {
  readonly tool: string;
  readonly reason: string;
}

/** The stored definitions that may be called, as tools. A definition that another process writes appears in the registry shortly afterwards. */
export function recordSource(store: BreadcrumbStore, options: RecordSourceOptions = {}): RecordSource {
  const all = [localKind(options.handlers ?? {}), httpKind(createSafeFetch(options.fetch)), ...(options.kinds ?? [])];
  const kinds = new Map(all.map((kind) => [kind.kind, kind]));
  /** Tools by the id of their record; one that did not change stays the same value. */
  const tools = new Map<string, AnyTool>();
  const faults = new Map<string, DefinitionFault>();
  const listeners = new Set<() => void>();
  const loaded = new Set<ImplementationKind>();
  /** Records whose kind has to be loaded first, by id. */
  const unread = new Map<string, Breadcrumb>();
  let following: Promise<Follower> | undefined;

  function apply(id: string, record: Breadcrumb | undefined): void {
    // What a server wrote about the tools of other sources is no tool of its own.
    unread.delete(id);
    faults.delete(id);
    if (record === undefined || upstreamOf(record) !== undefined || !isCallable(stateOf(record))) tools.delete(id);
    else if (options.isDescription?.(record) === true) tools.delete(id);
    else if (isLoaded(kindOf(record))) tools.set(id, readable(id, record));
    else {
      // Keeps its place in the list.
      tools.set(id, faulty(new ToolError("DEFINITION_INVALID", `The kind of "${id}" is not loaded yet.`)));
      unread.set(id, record);
    }
  }

  function kindOf({ context }: Pick<Breadcrumb, "context">): ImplementationKind | undefined {
    const { implementation } = context;
    return isObject(implementation) ? kinds.get(String(implementation["kind"])) : undefined;
  }

  function isLoaded(kind: ImplementationKind | undefined): boolean {
    return kind?.load === undefined || loaded.has(kind);
  }

  async function load(kind: ImplementationKind | undefined): Promise<void> {
    if (isLoaded(kind)) return;
    await kind!.load!();
    loaded.add(kind!);
  }

  async function readTheRest(): Promise<void> {
    for (const [id, record] of unread) {
      const failed = await load(kindOf(record)).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      // Another revision may have come in the meantime.
      if (unread.get(id) === record && unread.delete(id))
        tools.set(id, failed === undefined ? readable(id, record) : unusable(id, record, failed.error));
    }
  }

  function readable(id: string, record: Breadcrumb): AnyTool {
    try {
      return toolFromRecord(record, kinds);
    } catch (error) {
      return unusable(id, record, error);
    }
  }

  function unusable(id: string, { context }: Breadcrumb, error: unknown): AnyTool {
    faults.set(id, { tool: String(context["name"]), reason: error instanceof Error ? error.message : String(error) });
    return faulty(error);
  }

  async function start(): Promise<Follower> {
    return follow(store, {
      selector: { schema_name: definitionSchema, noneTags: [seenTag] },
      apply,
      onChange: () => {
        for (const listener of listeners) listener();
      },
    });
  }

  return {
    id: options.id ?? "records",
    async list() {
      following ??= start();
      try {
        await (await following).catchUp();
        while (unread.size > 0) await readTheRest();
      } catch (error) {
        following = undefined;
        throw error;
      }
      return [...tools.values()];
    },
    watch(onChange) {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    kinds: [...kinds.keys()].filter((kind) => kind !== "local"),
    faults: () => faults,
    async problemOf(definition, { alone = false, sees } = {}) {
      try {
        const kind = kindOf(definition);
        await load(kind);
        toolFromRecord(definition as Breadcrumb, kinds);
        return alone ? undefined : kind?.problemOf?.(definition.context["implementation"] as JsonObject, definition as Breadcrumb, sees);
      } catch (error) {
        return (error as Error).message;
      }
    },
    async close() {
      await (await following)?.close();
      await Promise.all(all.map((kind) => kind.close?.()));
    },
  };
}

/** A placeholder for a definition that cannot be read: the registry leaves out only this tool, and reports the reason. */
function faulty(error: unknown): AnyTool {
  return {
    get handler(): never {
      throw error;
    },
  } as unknown as AnyTool;
}
