import { type AnyTool, type Logger, ToolError, type ToolLimits, type ToolSource } from "@toolrack/core";
import { canonicalJson, readTool } from "@toolrack/core/internal";
import { validatorFor } from "@toolrack/json-schema";
import { passListedFields } from "@toolrack/mcp";
import { type JsonObject, StoreError } from "@toolrack/store";
import { overlaySchema, type ToolOverlay } from "../../config/overlay.ts";
import { agentOf, type Author, roleOf } from "../audit/author.ts";
import type { RecordFeed } from "../store/records.ts";
import { type LoggedStores, type LoggedWrite, writeLogged } from "./log-record.ts";
import type { SeenTools } from "./log-seen.ts";
import { applyOverlay, fieldsBelow } from "./overlay-apply.ts";
import { noteOverlaid } from "./noted-overlays.ts";
import { leftOut, readName, sourceIdentity, type ToolOrigin, withoutDoubles, withoutType } from "./overlay-origins.ts";
import { createSourceSteps } from "./overlay-source.ts";
import { demandAdminForNames, namedBy, withRegisteredName } from "./overlay-names.ts";
import { ignoredSentence, problemsOf } from "./overlay-problems.ts";
import { type OverlayInfo, staleIn, unusedInfo } from "./overlay-info.ts";
import {
  asOne,
  baseFor,
  type ChosenOverlay,
  demandAdminForSource,
  type FileOverlay,
  laid,
  layOver,
  onlyAdmin,
  whereLoose,
} from "./overlay-layers.ts";
import { loosenedBy, mergeOverlays, withheldIn } from "./overlay-merge.ts";
import { contextOf, idOf, type OverlayRecord, type SaidOverlay, schemaName } from "./overlay-record.ts";

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
  /** The overlay of a tool, by its name here or at its source: all that is said of it together. */
  get(name: string): OverlayInfo | undefined;
  /** The tool without its overlay, by its name here or at its source. */
  original(name: string): AnyTool | undefined;
  /**
   * Throws NOT_FOUND for an unknown tool, NAME_TAKEN for a name that another tool has, DEFINITION_INVALID where it does not fit the tool, FORBIDDEN
   * where somebody other than an admin would allow what the file, or an admin, does not, or let what an admin said hold for another program.
   */
  set(name: string, overlay: unknown, by: Author, reason?: string): Promise<OverlayInfo>;
  /** Returns what was removed; undefined where no record has an overlay of this tool. Throws FORBIDDEN for that of an admin, unless an admin removes it. */
  remove(name: string, by: Author): Promise<OverlayInfo | undefined>;
  /** States that an overlay is right for the tool as it is now. Throws FORBIDDEN where an admin said something of another server or program, unless an admin confirms it. */
  confirm(name: string, by: Author): Promise<OverlayInfo | undefined>;
  /** The parameters that the file or an admin withholds from callers of the tools with this name: a curator gives them no value either. */
  adminsWithhold(name: string): Promise<readonly string[]>;
  /** Entries of the configuration that change nothing. */
  problems(): readonly string[];
}

export interface OverlaysOptions extends LoggedStores {
  readonly feed: RecordFeed;
  readonly seen: Pick<SeenTools, "nameOf" | "printOf">;
  /** Lets the registry read the list of a source again. */
  readonly refresh: (sourceId: string) => Promise<unknown>;
  readonly configured: () => ConfiguredOverlays;
  /** Limits of all calls, by the configuration or by default: a curator's overlay does not exceed them for a tool that sets none itself. */
  readonly limits: ToolLimits;
  /** Where relative folders of overlays start. */
  readonly folder: string;
  /** Filled with the name of each tool that has an overlay → its source and its name there. */
  readonly overlaid: Map<string, string>;
  /** The id of the source that has a tool of this name now. */
  readonly holderOf: (name: string) => string | undefined;
  /** Why a tool that its source lists is not served yet: a sentence about what waits for a person. */
  readonly waitsFor: (origin: { readonly sourceId: string; readonly tool: string }) => string | undefined;
  readonly log: Logger;
}

export function createOverlays(options: OverlaysOptions): Overlays {
  const { feed, configured, log, seen } = options;
  const records = feed.of(schemaName);
  const listed = new Map<string, { readonly source: ToolSource; readonly tools: readonly AnyTool[] }>();
  const shown = new WeakMap<AnyTool, { readonly key: string; readonly tool: AnyTool; readonly problem?: string }>();
  let applied = keyOf(configured());

  const fromFile = (sourceId: string, tool: string): FileOverlay | undefined => {
    const all = configured();
    if (all.size === 0) return undefined;
    const own = all.get(sourceId)?.get(tool) ?? all.get(withoutType(sourceId))?.get(tool);
    return own && { ...own, record: records.get(idOf(sourceId, tool, true)) };
  };

  /** A record is laid over what the file says. */
  function chosenFor(sourceId: string, tool: string, shape?: AnyTool): ChosenOverlay | undefined {
    return layOver(fromFile(sourceId, tool), records.get(idOf(sourceId, tool, false)), limitsFor(shape));
  }

  /** The limits of all calls that hold for a tool: its own ones come first. */
  function limitsFor(shape?: AnyTool): ToolLimits {
    const own = shape === undefined ? {} : readLimits(shape);
    return Object.fromEntries(Object.entries(options.limits).filter(([limit]) => !Object.hasOwn(own, limit)));
  }

  function show(source: ToolSource, shape: AnyTool): AnyTool | undefined {
    if (records.values().next().done === true && configured().size === 0) return shape;
    const tool = seen.nameOf(source, shape);
    const chosen = tool === undefined ? undefined : chosenFor(source.id, tool, shape);
    if (chosen === undefined) return shape;
    if (chosen.overlay.hidden === true) return undefined;
    const madeFor = chosen.record && contextOf(chosen.record).source;
    const key = `${canonicalJson(plain([chosen.overlay, chosen.unconfirmed, madeFor]))} ${sourceIdentity(source)}`;
    const known = shown.get(shape);
    if (known?.key === key) return known.tool;
    const made = make(source, shape, chosen);
    const name = readName(made.tool);
    if (name !== undefined) options.overlaid.set(name, `${source.id}/${tool}`);
    shown.set(shape, { key, ...made });
    return made.tool;
  }

  function make(
    source: ToolSource,
    shape: AnyTool,
    { overlay, record, unconfirmed }: ChosenOverlay,
  ): { readonly tool: AnyTool; readonly problem?: string } {
    try {
      const stored = record && contextOf(record);
      if (stored !== undefined && !stored.isFromFile && stored.source !== sourceIdentity(source))
        throw new ToolError(
          "DEFINITION_INVALID",
          `The overlay of tool "${stored.tool}" was made for another server or program than "${source.id}" is now. Look at the tool, and set the overlay again, or remove it: toolrack overlay`,
        );
      const tool = withRegisteredName(applyOverlay(shape, overlay, options.folder), readTool(shape), unconfirmed, source.id);
      passListedFields(readTool(shape), tool);
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
    /** Whose it is from now on: a curator who confirms something leaves it to the one who said it. @default `by` */
    readonly saidBy?: Pick<SaidOverlay, "by" | "byRole">;
    readonly under?: SaidOverlay | undefined;
    readonly loosens?: readonly string[] | undefined;
    /** The record that was looked at. */
    readonly over?: LoggedWrite["over"];
    readonly reason?: string | undefined;
    readonly audit?: keyof typeof actions;
  }

  async function write(writing: Writing): Promise<void> {
    const { source, shape, tool, overlay, isFromFile, by, under, loosens = [], reason } = writing;
    const { saidBy = saidByOf(by), audit = "overlay-set", over } = writing;
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
      ...(isFromFile ? { by: agentOf(by) } : saidBy),
      ...(maker !== undefined && { namedBy: maker }),
      ...(under !== undefined && { under }),
      ...(loosens.length > 0 && { loosens }),
      ...(reason !== undefined && { reason }),
    };
    const context = plain(content) as JsonObject;
    const detail = {
      action: actions[audit],
      shownAs,
      overlay: plain(overlay),
      ...(loosens.length > 0 && { loosens: [...loosens] }),
      ...(reason !== undefined && { reason }),
    };
    const entry = { kind: "overlay" as const, source: identity, tool, print: seen.printOf(source, shape), detail };
    const draft = { schema_name: schemaName, title: `Overlay of ${tool}`.slice(0, 200), context };
    await writeLogged(options, { id, draft, ...(over && { over }) }, { by, audit, subject: shownAs, entry });
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

  function infoOf(found: Found, chosen: ChosenOverlay): OverlayInfo {
    const { source, shape, tool } = found;
    const { overlay, origin, record, file, loosens } = chosen;
    const stored = record && contextOf(record);
    const stale = [...new Set([...staleIn(shape, file?.record), ...staleIn(shape, record)])];
    const problem = overlay.hidden === true ? undefined : make(source, shape, chosen).problem;
    return {
      sourceId: source.id,
      source: sourceIdentity(source),
      tool,
      shownAs: shownName(found),
      overlay,
      origin,
      ...(file !== undefined && file.origin !== origin && { over: file.origin }),
      loosens,
      state: problem !== undefined ? "unfit" : stale.length > 0 ? "stale" : "applied",
      stale,
      ...(problem !== undefined && { problem }),
      ...(Object.keys(chosen.unconfirmed).length > 0 && { unconfirmed: true as const }),
      ...(stored && { by: stored.by, at: record!.updated_at, ...(stored.reason !== undefined && { reason: stored.reason }) }),
    };
  }

  function get(name: string): OverlayInfo | undefined {
    const found = find(name);
    const chosen = found && chosenOf(found);
    return chosen && infoOf(found, chosen);
  }

  const chosenOf = ({ source, tool, shape }: Found): ChosenOverlay | undefined => chosenFor(source.id, tool, shape);

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
        const chosen = chosenOf(found);
        if (chosen === undefined) continue;
        used.add(`${found.source.id}\n${found.tool}`);
        infos.push(infoOf(found, chosen));
      }
      for (const record of records.values()) {
        const { sourceId, tool, isFromFile } = contextOf(record);
        if (!isFromFile && !used.has(`${sourceId}\n${tool}`)) infos.push(unusedInfo(record));
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
      const { source, tool, shape } = found;
      // From the store itself: an admin may just have written one on another server.
      const record = await records.fetch(idOf(source.id, tool, false));
      demandAdminForSource(source, record, by);
      const [file, limits] = [fromFile(source.id, tool), limitsFor(shape)];
      const base = baseFor(roleOf(by), file, record, limits);
      const loosens = whereLoose(base.overlay, overlay, limits);
      if (roleOf(by) !== "admin" && loosens.length > 0)
        throw onlyAdmin(tool, loosens, base.under === undefined ? file?.origin : base.under.by);
      const merged = mergeOverlays(base.overlay, overlay, { mayLoosen: loosens, limits });
      applyOverlay(shape, merged, options.folder);
      demandAdminForNames(tool, by, layOver(file, record, limits)?.overlay, merged);
      await write({ ...found, overlay, isFromFile: false, by, under: base.under, loosens, over: { version: record?.version }, reason });
      return infoOf(found, chosenOf(found)!);
    },
    async remove(name, by) {
      const found = find(name);
      const before = found && chosenOf(found);
      const record =
        before?.record ?? [...records.values()].find((one) => [contextOf(one).tool, contextOf(one).overlay.name].includes(name));
      if (record === undefined || contextOf(record).isFromFile) return undefined;
      const { source, tool, overlay, sourceId, under, byRole, by: author } = contextOf(record);
      const kept = roleOf(by) === "admin" ? undefined : under;
      const after = laid(fromFile(sourceId, tool), kept, limitsFor(found?.shape));
      demandAdminForNames(tool, by, before?.overlay ?? overlay, after);
      if (roleOf(by) !== "admin" && byRole !== "curator")
        throw new StoreError(
          "FORBIDDEN",
          `The overlay of "${tool}" was made by ${author}${byRole === undefined ? ", with a role that was not recorded" : " as an admin"}: only an admin removes it.`,
        );
      const info: OverlayInfo = {
        ...(found !== undefined && before !== undefined ? infoOf(found, before) : unusedInfo(record)),
        overlay,
        loosens: loosenedBy(before?.overlay ?? overlay, after),
      };
      const entry = {
        kind: "overlay" as const,
        source,
        tool,
        print: found === undefined ? null : seen.printOf(found.source, found.shape),
        detail: { action: "removed", shownAs: info.shownAs, ...(info.loosens.length > 0 && { loosens: [...info.loosens] }) },
      };
      const context = kept && (plain({ sourceId, source, tool, isFromFile: false, ...kept }) as JsonObject);
      const draft = context && { schema_name: schemaName, title: record.title, context };
      await writeLogged(options, { id: record.id, draft, over: record }, { by, audit: "overlay-removed", subject: info.shownAs, entry });
      await records.fetch(record.id);
      options.overlaid.delete(info.shownAs);
      await steps.again(sourceId);
      return info;
    },
    async confirm(name, by) {
      const found = find(name);
      const chosen = found && chosenOf(found);
      if (found === undefined || chosen === undefined) return undefined;
      const { file, record } = chosen;
      const stored = record && contextOf(record);
      if (stored?.isFromFile === false) demandAdminForSource(found.source, record, by);
      if (file !== undefined && (stored === undefined || stored.isFromFile || staleIn(found.shape, file.record).length > 0))
        await write({ ...found, overlay: file.overlay, isFromFile: true, by, audit: "overlay-confirmed" });
      if (stored !== undefined && !stored.isFromFile) {
        const isAdmin = roleOf(by) === "admin";
        const said = isAdmin ? asOne(stored) : stored;
        const saidBy = isAdmin ? saidByOf(by) : { by: stored.by, ...(stored.byRole !== undefined && { byRole: stored.byRole }) };
        const under = said.under && { ...said.under, below: fieldsBelow(found.shape, said.under.overlay) };
        const { overlay, loosens, reason } = said;
        const over = { version: record!.version };
        await write({ ...found, overlay, isFromFile: false, by, saidBy, under, loosens, over, reason, audit: "overlay-confirmed" });
      }
      return infoOf(found, chosenOf(found)!);
    },
    async adminsWithhold(name) {
      const withheld: string[] = [];
      for (const found of [...everyTool()].filter((one) => shownName(one) === name)) {
        const { source, tool, shape } = found;
        const record = await records.fetch(idOf(source.id, tool, false));
        withheld.push(...withheldIn(baseFor("curator", fromFile(source.id, tool), record, limitsFor(shape)).overlay));
      }
      return withheld;
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
      for (const one of everyTool()) {
        const { ignored = [], origin } = chosenOf(one) ?? {};
        if (ignored.length > 0) found.push(ignoredSentence(shownName(one), origin!, ignored));
      }
      return [...found, ...this.list().flatMap(problemsOf)];
    },
  };
}

const actions = { "overlay-set": "set", "overlay-confirmed": "confirmed" } as const;

function saidByOf(author: Author): Pick<SaidOverlay, "by" | "byRole"> {
  return { by: agentOf(author), byRole: roleOf(author) };
}

function readLimits(shape: AnyTool): ToolLimits {
  try {
    return readTool(shape).metadata?.limits ?? {};
  } catch {
    return {};
  }
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
