import { shellWord } from "@toolrack/core/internal/shell-word";
import { type AnyTool, type Logger, ToolError, type ToolSource } from "@toolrack/core";
import { canonicalJson, readTool } from "@toolrack/core/internal";
import { validatorFor } from "@toolrack/json-schema";
import type { Breadcrumb, JsonObject } from "@toolrack/store";
import { overlaySchema, type ToolOverlay } from "../../config/overlay.ts";
import { agentOf, type Author, type AuthorRole, roleOf } from "../audit/author.ts";
import type { RecordFeed } from "../store/records.ts";
import { type LoggedStores, writeLogged } from "./log-record.ts";
import type { SeenTools } from "./log-seen.ts";
import { applyOverlay, fieldsBelow } from "./overlay-apply.ts";
import { noteOverlaid } from "./noted-overlays.ts";
import { leftOut, readName, sourceIdentity, type ToolOrigin, withoutDoubles, withoutType } from "./overlay-origins.ts";
import { createSourceSteps } from "./overlay-source.ts";
import { demandAdminForNames, namedBy, unconfirmedNames, withRegisteredName } from "./overlay-names.ts";
import { contextOf, idOf, type OverlayRecord, schemaName } from "./overlay-record.ts";

/** Source (its id, with or without its type) → tool, by its name at the source → overlay, and where that is said. */
export type ConfiguredOverlays = ReadonlyMap<string, ReadonlyMap<string, { readonly overlay: ToolOverlay; readonly origin: string }>>;

/** What operators change about tools that they do not own. */
export interface Overlays {
  /** The source with its tools as callers see them. */
  over(source: ToolSource): ToolSource;
  /** Shows the tools of all sources as the settings have them now. */
  apply(): void;
  list(): readonly OverlayInfo[];
  /** Where a tool comes from, by its name here or at its source; undefined for an unknown one. */
  originOf(name: string): (ToolOrigin & { readonly sourceId: string; readonly shownAs: string }) | undefined;
  /** Tools that overlays call so, also those that are not served now: the source, and the name there. */
  calledSo(name: string): readonly (ToolOrigin & { readonly sourceId: string })[];
  /** The overlay of a tool, by its name here or at its source. */
  get(name: string): OverlayInfo | undefined;
  /** The tool without its overlay, by its name here or at its source. */
  original(name: string): AnyTool | undefined;
  /** Throws NOT_FOUND for an unknown tool, NAME_TAKEN for a name that another tool has, DEFINITION_INVALID where it does not fit the tool. */
  set(name: string, overlay: unknown, by: Author, reason?: string): Promise<OverlayInfo>;
  /** Returns what was removed; undefined where no record has an overlay of this tool. */
  remove(name: string, by: Author): Promise<OverlayInfo | undefined>;
  /** States that an overlay is right for the tool as it is now. */
  confirm(name: string, by: Author): Promise<OverlayInfo | undefined>;
  /** Entries of the configuration that change nothing. */
  problems(): readonly string[];
}

export interface OverlayInfo extends ToolOrigin {
  readonly sourceId: string;
  /** The name here. */
  readonly shownAs: string;
  readonly overlay: ToolOverlay;
  /** "toolrack.config.yaml:12", or "record overlay-… v3". */
  readonly origin: string;
  /** "unfit": it cannot be applied, so the tool is not served. "unused": its source does not list the tool now. */
  readonly state: "applied" | "stale" | "unfit" | "unused";
  /** Fields of the original that changed after the overlay was made, as JSON pointers. */
  readonly stale: readonly string[];
  readonly problem?: string;
  /** Its name and groups do not count for `allow`, because no admin made or confirmed it. */
  readonly unconfirmed?: true;
  readonly by?: string;
  readonly at?: string;
  readonly reason?: string;
}

export interface OverlaysOptions extends LoggedStores {
  readonly feed: RecordFeed;
  readonly seen: Pick<SeenTools, "nameOf" | "printOf">;
  /** Lets the registry read the list of a source again. */
  readonly refresh: (sourceId: string) => Promise<unknown>;
  readonly configured: () => ConfiguredOverlays;
  /** Filled with the name of each tool that has an overlay → its source and its name there. */
  readonly overlaid: Map<string, string>;
  /** The id of the source that has a tool of this name now. */
  readonly holderOf: (name: string) => string | undefined;
  /** Why a tool that its source lists is not served yet: a sentence about what waits for a person. */
  readonly waitsFor: (origin: { readonly sourceId: string; readonly tool: string }) => string | undefined;
  readonly log: Logger;
}

interface Chosen {
  readonly overlay: ToolOverlay;
  readonly origin: string;
  readonly record?: Breadcrumb | undefined;
}

export function createOverlays(options: OverlaysOptions): Overlays {
  const { feed, configured, log, seen } = options;
  const records = feed.of(schemaName);
  const listed = new Map<string, { readonly source: ToolSource; readonly tools: readonly AnyTool[] }>();
  const shown = new WeakMap<AnyTool, { readonly key: string; readonly tool: AnyTool; readonly problem?: string }>();
  let applied = keyOf(configured());

  const fromFile = (sourceId: string, tool: string): Chosen | undefined => {
    const all = configured();
    if (all.size === 0) return undefined;
    const own = all.get(sourceId)?.get(tool) ?? all.get(withoutType(sourceId))?.get(tool);
    return own && { ...own, record: records.get(idOf(sourceId, tool, true)) };
  };

  /** A record wins over the file. */
  function chosenFor(sourceId: string, tool: string): Chosen | undefined {
    const record = records.get(idOf(sourceId, tool, false));
    if (record === undefined) return fromFile(sourceId, tool);
    return { overlay: contextOf(record).overlay, origin: `record ${record.id} v${record.version}`, record };
  }

  /** What of an overlay no admin stands for. */
  function unconfirmedIn({ record }: Chosen, sourceId: string, tool: string): ReturnType<typeof unconfirmedNames> {
    if (record === undefined || contextOf(record).isFromFile) return {};
    const { overlay, namedBy: maker } = contextOf(record);
    return unconfirmedNames({ ...overlay, namedBy: maker }, fromFile(sourceId, tool)?.overlay);
  }

  function show(source: ToolSource, shape: AnyTool): AnyTool | undefined {
    if (records.values().next().done === true && configured().size === 0) return shape;
    const tool = seen.nameOf(source, shape);
    const chosen = tool === undefined ? undefined : chosenFor(source.id, tool);
    if (chosen === undefined) return shape;
    if (chosen.overlay.hidden === true) return undefined;
    const unconfirmed = unconfirmedIn(chosen, source.id, tool!);
    const key = `${canonicalJson(plain([chosen.overlay, unconfirmed]))} ${sourceIdentity(source)}`;
    const known = shown.get(shape);
    if (known?.key === key) return known.tool;
    const made = make(source, shape, chosen, unconfirmed);
    const name = readName(made.tool);
    if (name !== undefined) options.overlaid.set(name, `${source.id}/${tool}`);
    shown.set(shape, { key, ...made });
    return made.tool;
  }

  function make(
    source: ToolSource,
    shape: AnyTool,
    { overlay, record }: Chosen,
    unconfirmed: ReturnType<typeof unconfirmedNames>,
  ): { readonly tool: AnyTool; readonly problem?: string } {
    try {
      const stored = record && contextOf(record);
      if (stored !== undefined && !stored.isFromFile && stored.source !== sourceIdentity(source))
        throw new ToolError(
          "DEFINITION_INVALID",
          `The overlay of tool "${stored.tool}" was made for another server or program than "${source.id}" is now. Look at the tool, and set the overlay again, or remove it: toolrack overlay`,
        );
      const tool = withRegisteredName(applyOverlay(shape, overlay), readTool(shape), unconfirmed);
      noteOverlaid(tool, { sourceId: source.id, listedAs: readTool(shape).name });
      return { tool };
    } catch (error) {
      const problem = (error as Error).message;
      return { tool: leftOut(problem), problem };
    }
  }

  function showAll(source: ToolSource, tools: readonly AnyTool[]): readonly AnyTool[] {
    const all = tools.flatMap((shape) => show(source, shape) ?? []);
    return all.length === tools.length && all.every((tool, index) => tool === tools[index]) ? tools : all;
  }

  /** Notes the fields below each overlay of the file, once, so that a later change of them is found. */
  function noteFileOverlays(source: ToolSource, tools: readonly AnyTool[]): void {
    if (configured().size === 0) return;
    for (const shape of tools) {
      const tool = seen.nameOf(source, shape);
      const chosen = tool === undefined ? undefined : fromFile(source.id, tool);
      if (tool === undefined || chosen === undefined) continue;
      const { overlay, origin, record } = chosen;
      if (record !== undefined && canonicalJson(plain(contextOf(record).overlay)) === canonicalJson(plain(overlay))) continue;
      void write({ source, shape, tool, overlay, isFromFile: true, by: origin }).catch((error: unknown) =>
        log.warn("An overlay of the configuration could not be noted.", { tool, error: String(error) }),
      );
    }
  }

  interface Writing {
    readonly source: ToolSource;
    readonly shape: AnyTool;
    readonly tool: string;
    readonly overlay: ToolOverlay;
    readonly isFromFile: boolean;
    readonly by: Author;
    /** @default that of the author; a curator who confirms what an admin made leaves it the admin's. */
    readonly byRole?: AuthorRole | undefined;
    readonly reason?: string | undefined;
    readonly audit?: string;
  }

  async function write({
    source,
    shape,
    tool,
    overlay,
    isFromFile,
    by,
    byRole = roleOf(by),
    reason,
    audit = "overlay-set",
  }: Writing): Promise<void> {
    const id = idOf(source.id, tool, isFromFile);
    const identity = sourceIdentity(source);
    const shownAs = overlay.name ?? readTool(shape).name;
    const known = records.get(id);
    const maker = isFromFile ? undefined : namedBy(by, known && contextOf(known).namedBy, overlay);
    const content: OverlayRecord = {
      sourceId: source.id,
      source: identity,
      tool,
      isFromFile,
      overlay,
      below: fieldsBelow(shape, overlay),
      by: agentOf(by),
      ...(!isFromFile && { byRole }),
      ...(maker !== undefined && { namedBy: maker }),
      ...(reason !== undefined && { reason }),
    };
    const context = plain(content) as JsonObject;
    const detail = {
      action: audit === "overlay-set" ? "set" : "confirmed",
      shownAs,
      overlay: plain(overlay),
      ...(reason !== undefined && { reason }),
    };
    const entry = { kind: "overlay" as const, source: identity, tool, print: seen.printOf(source, shape), detail };
    const draft = { schema_name: schemaName, title: `Overlay of ${tool}`.slice(0, 200), context };
    await writeLogged(options, { id, draft }, { by, audit, subject: shownAs, entry });
    await records.fetch(id);
    await steps.again(source.id);
  }

  const steps = createSourceSteps({
    show: (source, tools) => withoutDoubles(source, tools, showAll(source, tools)),
    onList(source, tools) {
      listed.set(source.id, { source, tools });
      noteFileOverlays(source, tools);
    },
    onRemoved: ({ id }) => void listed.delete(id),
    refresh: options.refresh,
  });
  /** A source that is gone by now needs nothing. */
  const showAgain = (sourceId?: string): void => void steps.again(sourceId).catch(() => undefined);

  // Each server shows what another one wrote; a removed record does not say whose it was.
  records.subscribe((_, record) => showAgain(record && contextOf(record).sourceId));

  interface Found {
    readonly source: ToolSource;
    readonly shape: AnyTool;
    readonly tool: string;
  }

  /** The tools that the file has an overlay for, of sources that are there; those that wait for a person are listed by none of them. */
  function* configuredOrigins(): Iterable<ToolOrigin & { readonly sourceId: string }> {
    for (const [sourceKey, tools] of configured()) {
      const source = listedAs(sourceKey)?.source;
      if (source !== undefined) for (const tool of tools.keys()) yield { sourceId: source.id, source: sourceIdentity(source), tool };
    }
  }

  const listedAs = (sourceKey: string) =>
    [...listed.values()].find(({ source }) => source.id === sourceKey || withoutType(source.id) === sourceKey);

  const everyTool = function* (): Iterable<Found> {
    for (const { source, tools } of listed.values())
      for (const shape of tools) {
        const tool = seen.nameOf(source, shape);
        if (tool !== undefined) yield { source, shape, tool };
      }
  };

  /** By its name here first, then by its name at the source: "github/create_issue" names the source as well. */
  function find(name: string): Found | undefined {
    let second: Found | undefined;
    for (const found of everyTool()) {
      if (shownName(found) === name) return found;
      const { source, tool, shape } = found;
      const names = [tool, (shape as { name?: unknown }).name, `${source.id}/${tool}`, `${withoutType(source.id)}/${tool}`];
      if (second === undefined && names.includes(name)) second = found;
    }
    return second;
  }

  function shownName({ source, shape, tool }: Found): string {
    return chosenFor(source.id, tool)?.overlay.name ?? readName(shape) ?? tool;
  }

  function infoOf(found: Found, { overlay, origin, record }: Chosen): OverlayInfo {
    const { source, shape, tool } = found;
    const stored = record && contextOf(record);
    const now = fieldsBelow(shape, overlay);
    const stale = stored === undefined ? [] : Object.keys(now).filter((pointer) => stored.below[pointer] !== now[pointer]);
    const problem = overlay.hidden === true ? undefined : make(source, shape, { overlay, origin, record }, {}).problem;
    const { name, groups } = unconfirmedIn({ overlay, origin, record }, source.id, tool);
    return {
      sourceId: source.id,
      source: sourceIdentity(source),
      tool,
      shownAs: shownName(found),
      overlay,
      origin,
      state: problem !== undefined ? "unfit" : stale.length > 0 ? "stale" : "applied",
      stale,
      ...(problem !== undefined && { problem }),
      ...((name ?? groups) !== undefined && { unconfirmed: true as const }),
      ...(stored && { by: stored.by, at: record!.updated_at, ...(stored.reason !== undefined && { reason: stored.reason }) }),
    };
  }

  function get(name: string): OverlayInfo | undefined {
    const found = find(name);
    const chosen = found && chosenFor(found.source.id, found.tool);
    return chosen && infoOf(found, chosen);
  }

  function requireFree(found: Found, name: string | undefined): void {
    if (name === undefined) return;
    const sibling = [...everyTool()].find((one) => one.shape !== found.shape && shownName(one) === name);
    const holder = sibling?.source.id ?? (name === shownName(found) ? undefined : options.holderOf(name));
    if (holder !== undefined)
      throw new ToolError("NAME_TAKEN", `The source "${holder}" has a tool "${name}" already. Choose another name for "${found.tool}".`);
  }

  return {
    over: steps.through,
    apply() {
      const key = keyOf(configured());
      if (key === applied) return;
      applied = key;
      showAgain();
    },
    list() {
      const infos: OverlayInfo[] = [];
      const used = new Set<string>();
      for (const found of everyTool()) {
        const chosen = chosenFor(found.source.id, found.tool);
        if (chosen === undefined) continue;
        used.add(`${found.source.id}\n${found.tool}`);
        infos.push(infoOf(found, chosen));
      }
      for (const record of records.values()) {
        const { sourceId, source, tool, overlay, isFromFile, by } = contextOf(record);
        if (isFromFile || used.has(`${sourceId}\n${tool}`)) continue;
        const origin = `record ${record.id} v${record.version}`;
        const shownAs = overlay.name ?? tool;
        infos.push({ sourceId, source, tool, shownAs, overlay, origin, state: "unused", stale: [], by, at: record.updated_at });
      }
      return infos;
    },
    originOf(name) {
      const found = find(name);
      if (found === undefined) return undefined;
      return { source: sourceIdentity(found.source), tool: found.tool, sourceId: found.source.id, shownAs: shownName(found) };
    },
    calledSo: (name) =>
      [...[...records.values()].map(contextOf), ...configuredOrigins()].filter(
        ({ sourceId, tool }) => chosenFor(sourceId, tool)?.overlay.name === name,
      ),
    get,
    original: (name) => find(name)?.shape,
    async set(name, given, by, reason) {
      const found = find(name);
      if (found === undefined) throw unknownTool(name);
      const overlay = readOverlay(given);
      requireFree(found, overlay.name);
      applyOverlay(found.shape, overlay);
      demandAdminForNames(found.tool, by, chosenFor(found.source.id, found.tool)?.overlay, overlay);
      await write({ ...found, overlay, isFromFile: false, by, reason });
      return infoOf(found, chosenFor(found.source.id, found.tool)!);
    },
    async remove(name, by) {
      const found = find(name);
      const before = found && chosenFor(found.source.id, found.tool);
      const record =
        before?.record ?? [...records.values()].find((one) => [contextOf(one).tool, contextOf(one).overlay.name].includes(name));
      if (record === undefined || contextOf(record).isFromFile) return undefined;
      const { source, tool, overlay, sourceId } = contextOf(record);
      demandAdminForNames(tool, by, overlay, fromFile(sourceId, tool)?.overlay);
      const info: OverlayInfo =
        found !== undefined && before !== undefined
          ? infoOf(found, before)
          : {
              sourceId,
              source,
              tool,
              shownAs: overlay.name ?? tool,
              overlay,
              origin: `record ${record.id} v${record.version}`,
              state: "unused",
              stale: [],
            };
      const entry = {
        kind: "overlay" as const,
        source,
        tool,
        print: found === undefined ? null : seen.printOf(found.source, found.shape),
        detail: { action: "removed", shownAs: info.shownAs },
      };
      await writeLogged(options, { id: record.id, draft: undefined }, { by, audit: "overlay-removed", subject: info.shownAs, entry });
      await records.fetch(record.id);
      options.overlaid.delete(info.shownAs);
      await steps.again(sourceId);
      return info;
    },
    async confirm(name, by) {
      const found = find(name);
      const chosen = found && chosenFor(found.source.id, found.tool);
      if (found === undefined || chosen === undefined) return undefined;
      const isFromFile = chosen.record === undefined || contextOf(chosen.record).isFromFile;
      const byRole = chosen.record && contextOf(chosen.record).byRole === "admin" ? "admin" : roleOf(by);
      await write({ ...found, overlay: chosen.overlay, isFromFile, by, byRole, audit: "overlay-confirmed" });
      return infoOf(found, chosenFor(found.source.id, found.tool)!);
    },
    problems() {
      const found: string[] = [];
      for (const [sourceKey, tools] of configured())
        for (const [tool, { origin }] of tools) {
          const source = listedAs(sourceKey);
          if (source === undefined)
            found.push(`overlays.${sourceKey} (${origin}) names no source that is there now, so it changes nothing.`);
          else if (!source.tools.some((shape) => seen.nameOf(source.source, shape) === tool)) {
            const waits = options.waitsFor({ sourceId: source.source.id, tool });
            found.push(
              waits === undefined
                ? `overlays.${sourceKey}.${tool} (${origin}): the source has no tool "${tool}", so it changes nothing. Write its name at the source.`
                : `overlays.${sourceKey}.${tool} (${origin}) changes nothing yet. ${waits}`,
            );
          }
        }
      for (const { shownAs, state, stale, problem, origin, unconfirmed, by } of this.list()) {
        if (unconfirmed === true)
          found.push(
            `The overlay of "${shownAs}" (${origin}${by === undefined ? "" : `, by ${by}`}) gives a name or groups that no admin has confirmed, so lists that allow go by what its source says. Look at it, then, as an admin: toolrack overlay confirm ${shellWord(shownAs)}`,
          );
        if (problem !== undefined) found.push(`${problem} (${origin}). The tool is not served until this is mended.`);
        if (state === "stale")
          found.push(
            `The overlay of "${shownAs}" (${origin}) is stale: ${stale.join(", ")} changed at the source. Look at it, then: toolrack overlay confirm ${shellWord(shownAs)}`,
          );
      }
      return found;
    },
  };
}

function readOverlay(value: unknown): ToolOverlay {
  const validator = validatorFor(overlaySchema);
  if (validator.check(value)) return value as ToolOverlay;
  const faults = validator.explain(value).map(({ message }) => message);
  throw new ToolError("DEFINITION_INVALID", `This is not an overlay: ${faults.join("; ")}`);
}

function unknownTool(name: string): ToolError {
  return new ToolError("TOOL_NOT_FOUND", `No source lists a tool "${name.slice(0, 128)}". See: toolrack list --all`);
}

function keyOf(configured: ConfiguredOverlays): string {
  return JSON.stringify([...configured].map(([source, tools]) => [source, [...tools]]));
}

function plain(value: unknown): Parameters<typeof canonicalJson>[0] {
  return JSON.parse(JSON.stringify(value)) as Parameters<typeof canonicalJson>[0];
}
