import { hasOwn } from "@toolrack/json-schema/internal";
import { ToolInputError } from "../errors.ts";

/** The arguments of a call, as a handler that reads them one by one is given them. */
export type Params = Readonly<Record<string, unknown>>;

export interface ParamOptions {
  /** Throws a ToolInputError instead of returning `undefined`. @default false */
  readonly required?: boolean;
  /** The name used in the error. @default the key */
  readonly label?: string;
}

export interface StringParamOptions extends ParamOptions {
  /** Cuts white space off both ends; without, blanks are kept as a value. @default true */
  readonly trim?: boolean;
  /** Takes "" for a value. @default false */
  readonly allowEmpty?: boolean;
}

export interface NumberParamOptions extends ParamOptions {
  /** Cuts the fraction off: 7.8 → 7. @default false */
  readonly integer?: boolean;
}

type Required = { readonly required: true };

/** The value of an own property: the exact key, or else its snake_case form. An exact key that holds null hides the other. */
export function readParamRaw(params: Params, key: string): unknown {
  if (hasOwn(params, key)) return params[key];
  const snakeKey = toSnakeCaseKey(key);
  return hasOwn(params, snakeKey) ? params[snakeKey] : undefined;
}

/** A text. Anything else, and a blank, is no value. */
export function readStringParam(params: Params, key: string, options: StringParamOptions & Required): string;
export function readStringParam(params: Params, key: string, options?: StringParamOptions): string | undefined;
export function readStringParam(params: Params, key: string, options: StringParamOptions = {}): string | undefined {
  return present(toText(readParamRaw(params, key), options), key, options);
}

/** A text, or a number as text: 12 → "12". */
export function readStringOrNumberParam(params: Params, key: string, options: StringParamOptions & Required): string;
export function readStringOrNumberParam(params: Params, key: string, options?: StringParamOptions): string | undefined;
export function readStringOrNumberParam(params: Params, key: string, options: StringParamOptions = {}): string | undefined {
  const raw = readParamRaw(params, key);
  return present(Number.isFinite(raw) ? String(raw) : toText(raw, options), key, options);
}

/** A finite number, or a text that is one: " 42 " → 42. A text that is only partly a number is no number: "12px". */
export function readNumberParam(params: Params, key: string, options: NumberParamOptions & Required): number;
export function readNumberParam(params: Params, key: string, options?: NumberParamOptions): number | undefined;
export function readNumberParam(params: Params, key: string, options: NumberParamOptions = {}): number | undefined {
  const number = toNumber(readParamRaw(params, key));
  return present(number !== undefined && options.integer ? Math.trunc(number) + 0 : number, key, options); // + 0 turns -0 into 0
}

/** True or false, or one of these words as text. */
export function readBooleanParam(params: Params, key: string, options: ParamOptions & Required): boolean;
export function readBooleanParam(params: Params, key: string, options?: ParamOptions): boolean | undefined;
export function readBooleanParam(params: Params, key: string, options: ParamOptions = {}): boolean | undefined {
  return present(toBoolean(readParamRaw(params, key)), key, options);
}

/** The texts of a list, trimmed, blanks and other values dropped. A lone text is a list of one; commas are not split. */
export function readStringArrayParam(params: Params, key: string, options: ParamOptions & Required): string[];
export function readStringArrayParam(params: Params, key: string, options?: ParamOptions): string[] | undefined;
export function readStringArrayParam(params: Params, key: string, options: ParamOptions = {}): string[] | undefined {
  const raw = readParamRaw(params, key);
  const texts = (Array.isArray(raw) ? raw : [raw]).map((item) => toText(item, {})).filter((text) => text !== undefined);
  return present(texts.length > 0 ? texts : undefined, key, options);
}

/** "messageURL" → "message_url", "audio2Text" → "audio2_text" */
export function toSnakeCaseKey(key: string): string {
  return key.replace(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_").toLowerCase();
}

/** Whether an action is switched on. */
export type ActionGate<Action extends string = string> = (action: Action, defaultValue?: boolean) => boolean;

/** A gate over a configuration such as { send: false }: only `false` switches an action off; what is not set has the default, true. */
export function createActionGate<const Actions extends Params>(actions: Actions | undefined | null): ActionGate<keyof Actions & string> {
  return (action, defaultValue = true) => {
    const value = actions && hasOwn(actions, action) ? actions[action] : undefined;
    return value === undefined ? defaultValue : value !== false;
  };
}

function present<Value>(value: Value | undefined, key: string, { required, label = key }: ParamOptions): Value | undefined {
  if (value === undefined && required) throw new ToolInputError(`${label} required`);
  return value;
}

function toText(raw: unknown, { trim = true, allowEmpty = false }: StringParamOptions): string | undefined {
  if (typeof raw !== "string") return undefined;
  const text = trim ? raw.trim() : raw;
  return text === "" && !allowEmpty ? undefined : text;
}

function toNumber(raw: unknown): number | undefined {
  const isNumeral = typeof raw === "string" && /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(raw);
  const number = isNumeral ? Number(raw) : raw;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}

function toBoolean(raw: unknown): boolean | undefined {
  if (typeof raw === "boolean") return raw;
  const word = typeof raw === "string" ? raw.trim().toLowerCase() : undefined;
  return word === "true" ? true : word === "false" ? false : undefined;
}
