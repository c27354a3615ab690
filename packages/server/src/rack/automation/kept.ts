import { type Logger, ToolError } from "@toolrack/core";
import { type Breadcrumb, type BreadcrumbDraft, type BreadcrumbStore, StoreError } from "@toolrack/store";
import type { MessageSealer } from "../mcp/sealed-messages.ts";
import type { RecordFeed } from "../store/records.ts";
import { createContentForm, unreadableText } from "./sealed-input.ts";

/** What every schedule, trigger and webhook has. */
export interface KeptContent {
  readonly id: string;
  /** "api", or where it stands in the file: "toolrack.config.yaml:12". */
  readonly origin: string;
  /** What it is to call cannot be read; it can only be removed, or replaced as a whole. */
  readonly isUnreadable?: true;
}

/** "server": it cannot go on until somebody mends what its reason names. */
export type PausedBy = "server" | "caller";

/** A kind of things that people make over the API or in the file, as records that every server of the store has in memory. */
export interface Kept<Content extends KeptContent> {
  /** By id. */
  list(): readonly Content[];
  get(id: string): Content | undefined;
  /**
   * Throws STATE_INVALID where there is one with this id, RATE_LIMITED where there are as many as may be made, and what `check` throws of those
   * that there are. What comes together is made one after the other here, so that those before it count; several servers may each make one too
   * many.
   */
  create(content: Content, check?: (existing: readonly Content[]) => void): Promise<void>;
  /**
   * Writes exactly over this content. What `next` does with the store that it gets is written as well, or nothing is. False if somebody
   * was faster.
   */
  replace(before: Content, next: (tx: BreadcrumbStore) => Content | Promise<Content>): Promise<boolean>;
  /** Changes the newest content, again until nobody was faster. Undefined if there is none. */
  change(id: string, next: (content: Content) => Content | Promise<Content>): Promise<Content | undefined>;
  /** Throws STATE_INVALID for one of the file. */
  remove(id: string): Promise<Content | undefined>;
  /**
   * Makes those of the file be as the file says. `read` gives the content of one, and `merge` keeps what is not in the file; undefined if nothing
   * changed. One for which they throw a ToolError is logged and stays as it was, and the others are used.
   */
  useFile<Entry extends KeptContent>(
    configured: readonly Entry[],
    read: (entry: Entry) => Content | Promise<Content>,
    merge: (wanted: Content, before: Content | undefined) => Promise<Content | undefined>,
  ): Promise<void>;
  subscribe(listener: (id: string, content: Content | undefined) => void): () => void;
  /** Those of earlier versions with ids that cannot be made any more, for people. */
  problems(): readonly string[];
  /** Seals what earlier versions stored in clear. */
  sealOld(): Promise<void>;
}

export interface KeptOptions {
  readonly feed: RecordFeed;
  readonly inner: BreadcrumbStore;
  readonly schemaName: string;
  /** What people call one: "schedule". Ids of records begin with it. */
  readonly noun: string;
  /** How many there may be before no more are made over the API. Those of the file count as well, and are always used. */
  readonly most: number;
  /** Seals the input for a call that one holds. */
  readonly sealer: MessageSealer;
  readonly log: Logger;
}

export function createKept<Content extends KeptContent>(options: KeptOptions): Kept<Content> {
  const { feed, inner, schemaName, noun, most, sealer, log } = options;
  const records = feed.of(schemaName);
  const form = createContentForm<Content>(noun, sealer);
  const contents = new WeakMap<Breadcrumb, Content>();
  const recordId = (id: string): string => `${noun}-${id}`;
  const contentOf = (record: Breadcrumb): Content => {
    const content = contents.get(record) ?? form.fromStored(record.context);
    contents.set(record, content);
    return content;
  };
  const draftOf = (content: Content): Draft => {
    if (content.isUnreadable === true)
      throw new StoreError("STATE_INVALID", `The ${noun} "${content.id}" cannot be read. ${unreadableText}`);
    return {
      id: recordId(content.id),
      schema_name: schemaName,
      title: `${noun} ${content.id}`,
      context: form.toStored(content),
      // Words of what is secret are not searched for.
      sensitivity: "secret",
    };
  };
  const list = (): readonly Content[] => [...records.values()].map(contentOf).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const get = (id: string): Content | undefined => {
    const record = records.get(recordId(id));
    return record && contentOf(record);
  };

  async function write(before: Breadcrumb, next: (tx: BreadcrumbStore) => Content | Promise<Content>): Promise<Content | undefined> {
    let content: Content | undefined;
    try {
      await inner.transaction(async (tx) => {
        content = await next(tx);
        const written = await tx.put({ ...draftOf(content), version: before.version });
        if (!written.ok) throw new Faster();
      });
    } catch (error) {
      if (!(error instanceof Faster)) throw error;
      content = undefined;
    }
    await records.fetch(before.id);
    return content;
  }

  /** What was logged about those of the file that are left out. */
  const told = new Map<string, string>();
  let before: Promise<unknown> = Promise.resolve();
  function create(content: Content, check?: (existing: readonly Content[]) => void): Promise<void> {
    const made = before.then(() => {
      const existing = list();
      if (existing.length >= most)
        throw new ToolError("RATE_LIMITED", `There are ${existing.length} ${noun}s, and no more may be made. Remove one first.`);
      check?.(existing);
      return createNow(content);
    });
    before = made.catch(() => undefined);
    return made;
  }

  async function createNow(content: Content): Promise<void> {
    if ((await records.create(draftOf(content))) === undefined)
      throw new StoreError("STATE_INVALID", `There is a ${noun} "${content.id}" already. Choose another id, or remove it first.`);
  }

  return {
    list,
    get,
    create,
    async replace(before, next) {
      const record = records.get(recordId(before.id));
      return record !== undefined && contentOf(record) === before && (await write(record, next)) !== undefined;
    },
    async change(id, next) {
      for (;;) {
        const before = await records.fetch(recordId(id));
        if (before === undefined) return undefined;
        const content = await next(contentOf(before));
        if ((await write(before, () => content)) !== undefined) return content;
      }
    },
    async remove(id) {
      const content = get(id);
      if (content === undefined) return undefined;
      if (content.origin !== "api") throw new StoreError("STATE_INVALID", `The ${noun} "${id}" is in ${content.origin}. Change it there.`);
      return (await records.remove(recordId(id))) ? content : undefined;
    },
    async useFile(configured, read, merge) {
      const use = async (entry: (typeof configured)[number]): Promise<void> => {
        checkId(noun, entry.id);
        const wanted = await read(entry);
        const record = await records.fetch(recordId(wanted.id));
        const before = record && contentOf(record);
        if (before?.origin === "api")
          throw new ToolError(
            "CONFIG_INVALID",
            `The ${noun} "${wanted.id}" was made over the API already. Remove that one, or rename the one of the file.`,
          );
        const next = await merge(wanted, before);
        if (next === undefined) return;
        // Another server may write the same at the same time.
        if (record === undefined) await records.create(draftOf(next));
        else await write(record, () => next);
      };
      for (const entry of configured) {
        try {
          await use(entry);
          told.delete(entry.id);
        } catch (error) {
          if (!ToolError.is(error)) throw error;
          const left = get(entry.id) === undefined ? "it is left out" : "it stays as it was";
          const line = `${error.message} Until it is changed in ${entry.origin}, ${left}; the others are used.`;
          if (told.get(entry.id) !== line) log.error(line);
          told.set(entry.id, line);
        }
      }
      const ids = new Set(configured.map(({ id }) => recordId(id)));
      const gone = [...records.values()].filter((record) => contentOf(record).origin !== "api" && !ids.has(record.id));
      for (const { id } of gone) await records.remove(id);
    },
    problems: () =>
      list().flatMap(({ id }) => {
        const fault = idFault(noun, id);
        return fault === undefined ? [] : [`${fault} It still works; make it again under another id, and remove this one.`];
      }),
    async sealOld() {
      for (const record of records.values()) if (form.isClear(record.context)) await write(record, () => contentOf(record));
    },
    subscribe: (listener) => records.subscribe((id, record) => listener(id.slice(noun.length + 1), record && contentOf(record))),
  };
}

type Draft = Pick<BreadcrumbDraft, "schema_name" | "title" | "context" | "sensitivity"> & { readonly id: string };

/** Another server wrote in between. */
class Faster extends Error {}

/** Throws CONFIG_INVALID for an id that cannot be one. */
export function checkId(noun: string, id: string): void {
  const fault = idFault(noun, id);
  if (fault !== undefined) throw new ToolError("CONFIG_INVALID", fault);
}

function idFault(noun: string, id: string): string | undefined {
  const [pattern, characters] = signedNouns.has(noun)
    ? [/^[A-Za-z0-9][\w-]{0,63}$/, "letters, digits, dashes and underscores, and no point, which separates the parts of what is signed"]
    : [/^[A-Za-z0-9][\w.-]{0,63}$/, "letters, digits, points, dashes and underscores"];
  return pattern.test(id) ? undefined : `"${id.slice(0, 80)}" cannot be the id of a ${noun}. Use up to 64 ${characters}.`;
}

/** Of what is signed as "<id>.<time>.<body>". */
const signedNouns: ReadonlySet<string> = new Set(["hook", "webhook"]);
