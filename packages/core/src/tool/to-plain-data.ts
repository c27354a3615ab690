import { ToolError } from "../errors.ts";
import { maxValues } from "./plain-data.ts";

/** A part of a value that JSON has no form for: "result.items[3].price is NaN; return null or a number". */
export class NotJson extends ToolError {
  override readonly name: string = "NotJson";
  constructor(message: string, options?: ErrorOptions) {
    super("RESULT_INVALID", message, options);
  }
}

/**
 * The same value as plain JSON, in one walk. What JSON has an exact form for is converted: a Map with text keys becomes an object, a Set and a list of
 * numbers such as Float32Array a list, a Date its ISO text, a URL its text, a small bigint a number, an undefined item null. Throws `NotJson`, which
 * names the place, for everything that JSON would lose or change. `name` is how the message calls the value.
 */
export function toPlainData(value: unknown, name: string): unknown {
  const path: (string | number)[] = [];
  const open = new Set<object>();
  let left = maxValues;

  function refuse(fact: string): never {
    throw new NotJson(`${nameOf(name, path)} ${fact}`);
  }

  function count(values: number): void {
    left -= values;
    if (left >= 0) return;
    const limit = `${maxValues.toLocaleString("en")} values, or too much text`;
    throw new NotJson(`${name} has more than ${limit}; return less, or write it to a file and return its path`);
  }

  function inside(part: string | number, inner: unknown): unknown {
    count(1);
    path.push(part);
    const plain = convert(inner, true);
    path.pop();
    return plain;
  }

  /** `asksToJson`: as in JSON.stringify, the value that `toJSON` returned is not asked again. */
  function convert(one: unknown, asksToJson: boolean): unknown {
    switch (typeof one) {
      case "number":
        return Number.isFinite(one) ? one : refuse(`is ${one}; return null or a number`);
      case "bigint":
        return Number.isSafeInteger(Number(one))
          ? Number(one)
          : refuse("is a bigint that no JSON number can hold exactly; return it as a string");
      case "function":
      case "symbol":
        return refuse(`is a ${typeof one}; return plain data`);
      case "string":
        count(one.length >> 6);
        return one;
      case "object":
        return one === null ? null : convertObject(one, asksToJson);
      default:
        return one;
    }
  }

  function convertObject(one: object, asksToJson: boolean): unknown {
    const kind = kindOf(one);
    const bytes = bytesIn(one, kind);
    if (bytes !== undefined) return refuse(`is ${bytes} (${kind}); return base64 text, or an image or audio block`);
    if (kind === "Date" && Number.isNaN(Number(one))) return refuse("is an invalid Date; return null or a valid date");
    const { toJSON } = one as { toJSON?: unknown };
    if (asksToJson && typeof toJSON === "function") return convert(toJSON.call(one, String(path.at(-1) ?? "")), false);
    if (boxes.has(kind)) return convert(one.valueOf(), false);
    if (kind === "URLSearchParams") return String(one);
    if (open.has(one)) return refuse("refers back to a value that contains it; return data without cycles");
    open.add(one);
    const plain = convertParts(one, kind);
    open.delete(one);
    return plain;
  }

  function convertParts(one: object, kind: string): unknown {
    if (Array.isArray(one) || ArrayBuffer.isView(one)) return toList(one as unknown as ArrayLike<unknown>);
    if (kind === "Set") return toList(itemsOf(one as Set<unknown>));
    if (kind === "Map") {
      const entries = itemsOf(one as Map<unknown, unknown>);
      const other = entries.find(([key]) => typeof key !== "string");
      if (other !== undefined) return refuse(`is a Map with a key that is not a string but a ${typeof other[0]}; return a list of entries`);
      return toObject(entries as [string, unknown][]);
    }
    const advice = adviceFor(one, kind);
    if (advice !== undefined) return refuse(`is ${advice}`);
    const entries = Object.entries(one);
    if (entries.length === 0 && !isEmptyObject(one))
      return refuse(`is a ${kind} without properties of its own, which JSON would show as {}; return plain data`);
    return toObject(entries);
  }

  function itemsOf<Item>(all: Iterable<Item>): Item[] {
    const items: Item[] = [];
    for (const item of all) if (items.push(item) > left) count(items.length);
    return items;
  }

  function toList(items: ArrayLike<unknown>): unknown[] {
    if (items.length > left) count(items.length);
    return Array.from(items, (item, index) => inside(index, item) ?? null);
  }

  function toObject(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
    const plain: Record<string, unknown> = {};
    for (const [key, inner] of entries) {
      const shown = inside(key, inner);
      if (shown === undefined) continue;
      Object.defineProperty(plain, key, { value: shown, writable: true, enumerable: true, configurable: true });
    }
    return plain;
  }

  try {
    return convert(value, true);
  } catch (error) {
    if (error instanceof RangeError) throw new NotJson(`${name} is nested too deeply; return flatter data`, { cause: error });
    throw error;
  }
}

const boxes: ReadonlySet<string> = new Set(["String", "Number", "Boolean", "BigInt", "Symbol"]);

/** "Map", "Date", "Response"; of a class that says nothing else, its name. By tag, so that values of another realm are recognised, too. */
function kindOf(one: object): string {
  const tag = Object.prototype.toString.call(one).slice(8, -1);
  if (tag !== "Object") return tag;
  const maker: unknown = one.constructor;
  return typeof maker === "function" && maker.name !== "" ? maker.name : "object";
}

function bytesIn(one: object, kind: string): string | undefined {
  if (kind === "Blob" || kind === "File") return "binary data";
  if (ArrayBuffer.isView(one)) return byteViews.has(kind) ? `${one.byteLength} bytes` : undefined;
  return kind === "ArrayBuffer" || kind === "SharedArrayBuffer" ? `${(one as ArrayBuffer).byteLength} bytes` : undefined;
}

/** The other views hold numbers. A Buffer is a Uint8Array. */
const byteViews: ReadonlySet<string> = new Set(["Uint8Array", "Uint8ClampedArray", "DataView"]);

function adviceFor(one: object, kind: string): string | undefined {
  const { then, pipe, next } = one as Readonly<Record<string, unknown>>;
  if (typeof then === "function") return "a promise; await it";
  if (isError(one)) return "an Error; throw it, or return its message";
  if (kind === "Response" || kind === "Request") return `a ${kind}; return what its json() or text() resolves to`;
  if (Symbol.asyncIterator in one || typeof pipe === "function" || kind.endsWith("Stream"))
    return "a stream; read it to its end, or return it alone";
  if (typeof next === "function" && Symbol.iterator in one) return "an iterator; return a list: [...it]";
  if (kind === "Headers" || kind === "FormData") return `a ${kind}; return Object.fromEntries(it)`;
  return undefined;
}

/** By tag as well: errors of Node itself are of another realm than those of a test runner. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

/** Of any realm: its prototype, if it has one, has none. */
function isEmptyObject(one: object): boolean {
  const proto: unknown = Object.getPrototypeOf(one);
  return (proto === null || Object.getPrototypeOf(proto) === null) && Object.getOwnPropertySymbols(one).length === 0;
}

/** "result", ["items", 3, "unit price"] → result.items[3]["unit price"] */
function nameOf(name: string, path: readonly (string | number)[]): string {
  const shown = path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`;
  }, name);
  return shown.length > 300 ? `${shown.slice(0, 300)}…` : shown;
}
