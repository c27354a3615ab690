import { BaseTool } from "../../src/tool/base-tool.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { RegistryOptions } from "../../src/registry/options.ts";
import type { Registry } from "../../src/registry/registry.ts";
import { testTool } from "../../src/testing/test-tool.ts";
import { executeTool } from "../../src/tool/array.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";
import type { Equal, Expect } from "./expect.ts";

interface Database {
  find(id: string): Promise<{ name: string }>;
}

interface Cache {
  get(key: string): string | undefined;
}

declare const db: Database;
declare const cache: Cache;

const inputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] } as const;

const needsDatabase = defineTool({
  name: "by_id",
  description: "Finds a person.",
  inputSchema,
  metadata: { services: ["db"] },
  async handler({ id }, { services }: CallContext<{ db: Database }>) {
    // @ts-expect-error -- no such service
    void services.nope;
    const same: Expect<Equal<typeof id, string>> = true;
    return same ? (await services.db.find(id)).name : "";
  },
});

const needsCache = defineTool({
  name: "cached",
  description: "Reads the cache.",
  inputSchema,
  handler: ({ id }, context: CallContext<{ cache: Cache }>) => context.services.cache.get(id) ?? "",
});

const needsNothing = defineTool({
  name: "plain",
  description: "Needs nothing.",
  inputSchema,
  handler({ id }, context) {
    // @ts-expect-error -- a handler that declares no services has none
    void context.services.nope;
    return `${id} ${context.callId}`;
  },
});

/** The type of a list of tools does not give a handler services that it did not declare. */
export const annotated: ToolDefinition = defineTool({
  name: "annotated",
  description: "Needs nothing.",
  inputSchema,
  handler(_input, context) {
    // @ts-expect-error -- nothing is declared
    void context.services.nope;
    return "";
  },
});

const toleratesAbsence = defineTool({
  name: "perhaps",
  description: "Uses the database where there is one.",
  inputSchema,
  handler: async ({ id }, context: CallContext<{ db: Database } | undefined>) => (await context.services?.db.find(id))?.name ?? id,
});

class CountTool extends BaseTool<object, { count(): number }> {
  readonly name = "count";
  readonly description = "Counts.";
  readonly parametersSchema = { type: "object" };
  execute(session: { count(): number }): number {
    return session.count();
  }
}

defineTool({
  name: "no",
  description: "",
  inputSchema,
  // @ts-expect-error -- not one of the handler's services
  metadata: { services: ["cache"] },
  handler: (_input, context: CallContext<{ db: Database }>) => String(context.services.db),
});

// Without services
const plain = createRegistry();
export type Plain = Expect<Equal<typeof plain, Registry<undefined>>>;
plain.register(needsNothing);
plain.register(toleratesAbsence);
// @ts-expect-error -- this registry has no database
plain.register(needsDatabase);
// @ts-expect-error -- nor a session for a class
plain.register(new CountTool());
// @ts-expect-error -- a policy gives no services
createRegistry({ limits: { timeoutMs: 5 } }).register(needsDatabase);
// @ts-expect-error -- the type alone is no database
createRegistry<{ db: Database }>().register(needsDatabase);

// With a value
const withDatabase = createRegistry({ services: { db } });
export type WithDatabase = Expect<Equal<typeof withDatabase, Registry<{ db: Database }>>>;
withDatabase.register(needsDatabase);
withDatabase.register(needsNothing);
withDatabase.register(toleratesAbsence);
// @ts-expect-error -- this registry has no cache
withDatabase.register(needsCache);
createRegistry({ services: { db, cache } }).register(needsCache);
createRegistry({ services: { count: () => 7 } }).register(new CountTool());

// With a function, at once or later
const opened = createRegistry({ services: () => ({ db, cache }), closeServices: ({ cache: closed }) => void closed.get("a") });
export type Opened = Expect<Equal<typeof opened, Registry<{ db: Database; cache: Cache }>>>;
opened.register(needsDatabase);
opened.register(needsCache);
const openedLater = createRegistry({ services: async ({ caller }) => ({ db, tenant: caller.tenant }) });
export type OpenedLater = Expect<Equal<typeof openedLater, Registry<{ db: Database; tenant: string | undefined }>>>;
openedLater.register(needsDatabase);
// @ts-expect-error -- what is opened has no cache
openedLater.register(needsCache);
createRegistry<{ db: Database }>({ services: () => ({ db }) }).register(needsDatabase);

// A literal gets the services of its registry
withDatabase.register({
  name: "literal",
  description: "",
  inputSchema,
  async handler(_input, { services }) {
    // @ts-expect-error -- no such service
    void services.nope;
    return (await services.db.find("7")).name;
  },
});

// A registry with more services can stand in for one with fewer, and none for one with more
export const anyRegistry: Registry = withDatabase;
export const fewerServices: Registry<{ db: Database }> = opened;
// @ts-expect-error -- there is no database in it
export const moreServices: Registry<{ db: Database }> = plain;
export const copy: Registry<{ db: Database }> = withDatabase.clone();

/** Code that does not know the services keeps its tools open. */
export function openRegistry<Services>(
  options: RegistryOptions<Services>,
  tools: readonly ToolDefinition[],
): Registry<Services | undefined> {
  const registry = createRegistry(options);
  for (const tool of tools) registry.register(tool);
  return registry;
}

export const someOptions: Registry<unknown> = createRegistry({} as RegistryOptions);

// Outside of a registry
void executeTool(needsNothing, {});
void executeTool(toleratesAbsence, {});
// @ts-expect-error -- nothing gives it a database
void executeTool(needsDatabase, {});
void testTool(needsDatabase, { services: { db } });
// @ts-expect-error -- nothing gives it a database
void testTool(needsDatabase);
void testTool(needsNothing);

// The one type for tools of all kinds stays open
export const tools: readonly ToolDefinition[] = [needsDatabase, needsCache, needsNothing];
for (const tool of tools) plain.register(tool);
