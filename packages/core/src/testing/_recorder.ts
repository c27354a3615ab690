import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { toSnakeCaseKey } from "../tool/params.ts";
import type { DeclaredNames } from "../lint/declared-names.ts";

/** What was read of one place of an input, in all runs together. */
export interface Seen {
  readonly place: DeclaredNames;
  readonly read: Set<string>;
  /** Names that were read and are not declared. */
  readonly undeclared: Set<string>;
  /** Whether the whole object was gone through, so that no single name was asked for. */
  copied: boolean;
}

/** By path: "" is the input itself, "filters" a part of it, "items[]" the items of a list. */
export type Reads = Map<string, Seen>;

/** One run's input as the handler is given it. */
export interface Recording {
  readonly input: unknown;
  /** Ends the recording: what is read from now on is not the handler's doing. */
  stop(): void;
}

export interface RecordOptions {
  /** Further names of the outermost parameters. */
  readonly aliases?: readonly string[];
  /** Whether all that is there counts as declared: a schema that transforms puts names of its own in place. @default false */
  readonly trustsPresent?: boolean;
}

/**
 * Records what is read of an input, which behaves as the plain value that it is: it can be spread, gone through, written to and
 * turned to JSON. What the handler writes itself, it may read.
 */
export function recordReads(input: unknown, place: DeclaredNames, reads: Reads, options: RecordOptions = {}): Recording {
  const { aliases = [], trustsPresent = false } = options;
  const proxies = new WeakMap<object, object>();
  let isStopped = false;

  function isKnown(key: string, object: JsonObject, here: DeclaredNames, at: string): boolean {
    return here.names.includes(key) || (at === "" && aliases.includes(key)) || (trustsPresent && Object.hasOwn(object, key));
  }

  function wrap(value: unknown, at: string, here: DeclaredNames): unknown {
    if (!isPlain(value)) return value;
    let proxy = proxies.get(value);
    if (proxy === undefined) proxies.set(value, (proxy = Array.isArray(value) ? wrapList(value, at, here) : wrapObject(value, at, here)));
    return proxy;
  }

  function wrapList(list: unknown[], at: string, here: DeclaredNames): object {
    return new Proxy(list, {
      get: (target, key, receiver) => {
        const value: unknown = Reflect.get(target, key, receiver);
        return typeof key === "string" && Object.hasOwn(target, key) ? wrap(value, `${at}[]`, here.below("[]")) : value;
      },
    });
  }

  function wrapObject(object: JsonObject, at: string, here: DeclaredNames): object {
    const seen = reads.get(at) ?? { place: here, read: new Set(), undeclared: new Set(), copied: false };
    reads.set(at, seen);
    const written = new Set<PropertyKey>();
    /** Names that were just listed: asking for each of them once belongs to going through the object. */
    const listed = new Set<PropertyKey>();

    function note(key: PropertyKey, isProbe: boolean): void {
      if (isStopped || typeof key !== "string" || written.has(key) || isEverywhere(key, object)) return;
      seen.read.add(key);
      if (here.isFree || listed.has(key) || isKnown(key, object, here, at)) return;
      // Readers such as readStringParam look whether a name is there in its other spelling.
      if (isProbe && here.names.some((name) => toSnakeCaseKey(name) === toSnakeCaseKey(key))) return;
      seen.undeclared.add(key);
    }

    return new Proxy(object, {
      get(target, key, receiver) {
        note(key, false);
        listed.delete(key);
        const value: unknown = Reflect.get(target, key, receiver);
        return typeof key === "string" && Object.hasOwn(target, key)
          ? wrap(value, at === "" ? key : `${at}.${key}`, here.below(key))
          : value;
      },
      has(target, key) {
        note(key, true);
        return Reflect.has(target, key);
      },
      getOwnPropertyDescriptor(target, key) {
        note(key, true);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
      ownKeys(target) {
        if (!isStopped) seen.copied = true;
        for (const key of Object.keys(target)) listed.add(key);
        return Reflect.ownKeys(target);
      },
      set(target, key, value) {
        written.add(key);
        return Reflect.set(target, key, value);
      },
    });
  }

  return { input: wrap(copyPlain(input), "", place), stop: () => void (isStopped = true) };
}

/** What JSON, promises and every object's own methods ask for. */
function isEverywhere(key: string, object: JsonObject): boolean {
  return !Object.hasOwn(object, key) && (key === "toJSON" || key === "then" || key in Object.prototype);
}

/** A copy, because a frozen value may not be shown as another. Dates and the like stay what they are. */
function copyPlain(value: unknown): unknown {
  if (!isPlain(value)) return value;
  if (Array.isArray(value)) return value.map(copyPlain);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyPlain(inner)]));
}

function isPlain(value: unknown): value is JsonObject | unknown[] {
  if (Array.isArray(value)) return true;
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
