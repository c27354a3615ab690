import { shellWord } from "@toolrack/core/internal/shell-word";
import { createHash } from "node:crypto";
import { type AnyTool, ToolError, type ToolSource } from "@toolrack/core";
import { type Breadcrumb, type JsonObject, StoreError } from "@toolrack/store";
import { agentOf, type Author } from "../audit/author.ts";
import type { RecordFeed } from "../store/records.ts";
import { type Asked, askedBeyond, askedBy, askedText } from "./grant-asks.ts";
import { type LoggedStores, writeLogged } from "./log-record.ts";
import type { SeenTools } from "./log-seen.ts";
import { leftOut, readName, sourceIdentity, type ToolOrigin } from "./overlay-origins.ts";
import { createSourceSteps } from "./overlay-source.ts";

/** Who allowed which tool to reach for more than its input. */
export interface Grants {
  /** The source without the tools that ask for more than somebody granted. */
  check(source: ToolSource): ToolSource;
  list(): readonly GrantInfo[];
  /** Tools that are not served because nobody granted what they ask for. */
  waiting(): readonly WaitingGrant[];
  /** The first of them that is meant. */
  waitingFor(isMeant: (tool: Pick<WaitingGrant, "sourceId" | "tool" | "shownAs">) => boolean): WaitingGrant | undefined;
  /**
   * Grants a tool, by its name at the source or here, what it asks for now. Throws TOOL_NOT_FOUND where no tool of this name asks for anything, and
   * STATE_INVALID where the definition is another than the one that was looked at.
   */
  add(grant: NewGrant, by: Author): Promise<GrantInfo>;
  /** The tool is not served any more. Returns the grant; undefined for an unknown id. */
  revoke(id: string, by: Author): Promise<GrantInfo | undefined>;
}

export interface NewGrant {
  readonly tool: string;
  /** The print of the definition that was looked at. */
  readonly print: string;
  readonly reason: string;
  /** @default it does not end */
  readonly days?: number | undefined;
}

export interface WaitingGrant extends ToolOrigin {
  /** The id that the grant will have. */
  readonly id: string;
  readonly kind: "grant";
  readonly sourceId: string;
  /** The name that it would have here. */
  readonly shownAs: string;
  readonly asks: Asked;
  readonly print: string;
  /** Whether an earlier definition of it was granted something. */
  readonly isChanged: boolean;
}

export interface GrantInfo extends ToolOrigin {
  readonly id: string;
  readonly sourceId: string;
  readonly asks: Asked;
  readonly print: string;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
  readonly until?: string;
  /** "lost": the tool has another definition now, or its source is another one. "unused": the source does not list the tool now. */
  readonly state: "in-force" | "lost" | "unused";
}

export interface GrantsOptions extends LoggedStores {
  readonly feed: RecordFeed;
  readonly seen: Pick<SeenTools, "nameOf" | "printOf">;
  /** Lets the registry read the list of a source again. */
  readonly refresh: (sourceId: string) => Promise<unknown>;
  readonly now: () => number;
  /**
   * For a source whose requests are made by our own code, to the origin that its definitions name: the secrets that its configuration gives it.
   * Undefined for every other source.
   */
  readonly namedSecrets?: (sourceId: string) => ReadonlySet<string> | undefined;
}

const schemaName = "tool.grant.v1";

interface GrantRecord extends ToolOrigin {
  readonly sourceId: string;
  readonly asks: Asked;
  readonly print: string;
  readonly reason: string;
  readonly by: string;
}

export function createGrants(options: GrantsOptions): Grants {
  const { seen } = options;
  const records = options.feed.of(schemaName);
  const listed = new Map<string, { readonly source: ToolSource; readonly tools: readonly AnyTool[] }>();
  const refused = new WeakMap<AnyTool, AnyTool>();

  /** What somebody has to grant: not what the configuration of the source names already. */
  const asksOf = ({ id }: ToolSource, shape: AnyTool): Asked | undefined => {
    const named = options.namedSecrets?.(id);
    return named === undefined ? askedBy(shape) : askedBeyond(askedBy(shape), named);
  };

  const grantOf = (source: ToolSource, tool: string): Breadcrumb | undefined => records.get(idOf(source.id, tool));

  function isGranted(source: ToolSource, shape: AnyTool, tool: string): boolean {
    const record = grantOf(source, tool);
    if (record === undefined) return false;
    const { source: identity, print } = contextOf(record);
    return identity === sourceIdentity(source) && print === seen.printOf(source, shape);
  }

  function show(source: ToolSource, shape: AnyTool): AnyTool {
    const asks = asksOf(source, shape);
    if (asks === undefined) return shape;
    const tool = seen.nameOf(source, shape)!;
    if (isGranted(source, shape, tool)) return shape;
    const known = refused.get(shape);
    if (known !== undefined) return known;
    const before = grantOf(source, tool) === undefined ? "nobody granted that" : "what was granted was for another definition of it";
    const made = leftOut(
      `The tool "${tool}" asks for ${askedText(asks)}, and ${before}. Look at it, and grant it, with: toolrack grants add ${shellWord(`${source.id}/${tool}`)} --reason "why"`,
    );
    refused.set(shape, made);
    return made;
  }

  const steps = createSourceSteps({
    show(source, tools) {
      const shown = tools.map((shape) => show(source, shape));
      return shown.every((tool, index) => tool === tools[index]) ? tools : shown;
    },
    onList: (source, tools) => void listed.set(source.id, { source, tools }),
    onRemoved: ({ id }) => void listed.delete(id),
    refresh: options.refresh,
  });
  /** A source that is gone by now needs nothing. */
  const showAgain = (sourceId?: string): void => void steps.again(sourceId).catch(() => undefined);
  records.subscribe((_, record) => showAgain(record && contextOf(record).sourceId));

  interface Asking {
    readonly source: ToolSource;
    readonly shape: AnyTool;
    readonly tool: string;
    readonly asks: Asked;
  }

  const asking = function* (): Iterable<Asking> {
    for (const { source, tools } of listed.values())
      for (const shape of tools) {
        const asks = asksOf(source, shape);
        if (asks !== undefined) yield { source, shape, tool: seen.nameOf(source, shape)!, asks };
      }
  };

  function infoOf(record: Breadcrumb): GrantInfo {
    const { sourceId, source, tool, asks, print, reason, by } = contextOf(record);
    const found = [...asking()].find((one) => one.source.id === sourceId && one.tool === tool);
    const from = listed.get(sourceId);
    const isListed = found !== undefined || from?.tools.some((shape) => seen.nameOf(from.source, shape) === tool) === true;
    const isInForce = found !== undefined && isGranted(found.source, found.shape, tool);
    return {
      id: record.id,
      sourceId,
      source,
      tool,
      asks,
      print,
      reason,
      by,
      at: record.updated_at,
      ...(record.ttl?.at !== undefined && { until: record.ttl.at }),
      state: isInForce ? "in-force" : isListed ? "lost" : "unused",
    };
  }

  const isWaiting = ({ source, shape, tool }: Asking): boolean => !isGranted(source, shape, tool);
  const waitingOf = ({ source, shape, tool, asks }: Asking): WaitingGrant => ({
    id: idOf(source.id, tool),
    kind: "grant",
    sourceId: source.id,
    source: sourceIdentity(source),
    tool,
    shownAs: readName(shape) ?? tool,
    asks,
    print: seen.printOf(source, shape),
    isChanged: grantOf(source, tool) !== undefined,
  });

  return {
    check: (source) => (isOurs(source) ? source : steps.through(source)),
    list: () => [...records.values()].map(infoOf),
    waiting: () => [...asking()].filter(isWaiting).map(waitingOf),
    waitingFor(isMeant) {
      for (const one of asking()) {
        const { source, shape, tool } = one;
        if (isMeant({ sourceId: source.id, tool, shownAs: readName(shape) ?? tool }) && isWaiting(one)) return waitingOf(one);
      }
      return undefined;
    },
    async add({ tool: name, print, reason, days }, by) {
      const found = [...asking()].find(({ shape, tool, source }) => [tool, readName(shape), `${source.id}/${tool}`].includes(name));
      if (found === undefined)
        throw new ToolError("TOOL_NOT_FOUND", `No tool "${name.slice(0, 128)}" asks for a grant. See: toolrack grants list`);
      const { source, shape, tool, asks } = found;
      const now = seen.printOf(source, shape);
      if (now !== print)
        throw new StoreError(
          "STATE_INVALID",
          `The definition of "${tool}" is another than the one that you looked at: its print is ${now} now. Look at it again, and grant that.`,
        );
      const id = idOf(source.id, tool);
      const identity = sourceIdentity(source);
      const context: GrantRecord = { sourceId: source.id, source: identity, tool, asks, print, reason, by: agentOf(by) };
      const until = days === undefined ? undefined : new Date(options.now() + days * 86_400_000).toISOString();
      const draft = {
        schema_name: schemaName,
        title: `Grant for ${tool}`.slice(0, 200),
        context: context as unknown as JsonObject,
        ...(until !== undefined && { ttl: { at: until } }),
      };
      const detail = { action: "granted", asks: asks as unknown as JsonObject, reason, ...(until !== undefined && { until }) };
      const entry = { kind: "grant" as const, source: identity, tool, print, detail };
      await writeLogged(options, { id, draft }, { by, audit: "grant-added", subject: tool, entry });
      const record = await records.fetch(id);
      await steps.again(source.id);
      return infoOf(record!);
    },
    async revoke(id, by) {
      const record = records.get(id);
      if (record === undefined) return undefined;
      const info = infoOf(record);
      const { source, tool, print, sourceId } = info;
      const entry = { kind: "grant" as const, source, tool, print, detail: { action: "revoked" } };
      await writeLogged(options, { id, draft: undefined }, { by, audit: "grant-revoked", subject: tool, entry });
      await records.fetch(id);
      await steps.again(sourceId);
      return info;
    },
  };
}

/**
 * Packs, modules and the tools of the program itself are granted by the line that names them. The tools of an API document are granted the API's own
 * origin and the secrets that its line names (`namedSecrets`): our own code makes their requests, and each tool is pinned with its request (method,
 * address, credentials), so it is held when that changes. What is stored as a record is granted by the approval of its definition, which has a reason,
 * an author and a date, and ends with the definition.
 */
function isOurs({ id }: ToolSource): boolean {
  return !id.includes(":") || id.startsWith("module:");
}

function contextOf({ context }: Breadcrumb): GrantRecord {
  return context as unknown as GrantRecord;
}

function idOf(sourceId: string, tool: string): string {
  return `grant-${createHash("sha256")
    .update(JSON.stringify([sourceId, tool]))
    .digest("hex")
    .slice(0, 24)}`;
}
