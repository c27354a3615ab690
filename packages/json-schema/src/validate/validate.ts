import { canonicalJson } from "../util/json.ts";
import { type DefaultJudge, fillJudged, type Fits, hasDefaults } from "./defaults.ts";
import { type Check, type Explain, generateCheck, generateExplain } from "./engine/generate.ts";
import { createResources, type Located, type Resources } from "./engine/resources.ts";
import { createRun, type Rule } from "./engine/rule.ts";
import { createRules } from "./engine/rules.ts";
import { type Issue, Fault } from "./issues.ts";
import { checkDialect } from "../schema/dialects.ts";
import { readSchema } from "../schema/read-schema.ts";
import { checkOptions, type ValidateOptions } from "./options.ts";
import { complaintAbout, schemaTooDeep } from "./unreadable.ts";

export type Validated = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * Checks a value against a schema. A valid one comes back with the schema's defaults filled in, in a copy.
 * A schema object is read the first time it comes; what is changed in it later is not seen.
 */
export function validateValue(schema: unknown, value: unknown, options: ValidateOptions = defaultOptions): Validated {
  const validator = validatorFor(schema, options);
  return validator.check(value) ? { ok: true, value: validator.fill(value) } : { ok: false, issues: validator.explain(value) };
}

/**
 * A schema made ready. Nothing is compiled before the first value comes.
 * Contract: whatever the value, even a circular one, these return; only a schema that cannot be applied makes them throw.
 */
export interface Validator {
  check(value: unknown): boolean;
  /** The faults of a value that failed `check`: every one, up to a hundred. */
  explain(value: unknown): readonly Issue[];
  /** The value with the schema's defaults, copied only where one is missing. */
  fill(value: unknown): unknown;
}

/** With the faults themselves, for those who mend them. */
export interface FaultFinder extends Validator {
  faults(value: unknown): readonly Fault[];
}

interface Known extends ValidateOptions {
  readonly validator: FaultFinder;
}

const bySchema = new WeakMap<object, Known[]>();
const maxKnown = 8;
/** The same schema tends to come many times in a row. */
let latest: { readonly schema: unknown; readonly options: ValidateOptions; readonly validator: FaultFinder } | undefined;
const byContent = new Map<string, WeakRef<FaultFinder>>();
/** Undefined where there are no weak references, as in workers of Cloudflare before May 2025: there only the same object shares a validator. */
const forget =
  globalThis.FinalizationRegistry &&
  new FinalizationRegistry<string>((key) => {
    if (byContent.get(key)?.deref() === undefined) byContent.delete(key);
  });

/** The validator of a schema; equal schemas share one. Throws SCHEMA_INVALID for what is no schema. */
export function validatorFor(schema: unknown, options: ValidateOptions = defaultOptions): Validator {
  return faultFinderFor(schema, options);
}

/** The value with the defaults of its schema, in a copy, whether it is valid or not. A default that its own schema does not allow is not applied. */
export function fillDefaults(schema: unknown, value: unknown): unknown {
  return faultFinderFor(schema).fill(value);
}

export function faultFinderFor(schema: unknown, options: ValidateOptions = defaultOptions): FaultFinder {
  if (latest !== undefined && latest.schema === schema && latest.options === options) return latest.validator;
  const validator = findValidator(schema, options);
  if (options === defaultOptions) latest = { schema, options, validator };
  return validator;
}

const defaultOptions: ValidateOptions = Object.freeze({});

/** How many distinct schemas are ready. */
export function validatorCount(): number {
  return byContent.size;
}

function findValidator(schema: unknown, options: ValidateOptions): FaultFinder {
  if (options !== defaultOptions) checkOptions(options);
  if (typeof schema !== "object" || schema === null) return shareValidator(schema, options);
  const { remotes, formats, dialect } = options;
  const known = bySchema.get(schema) ?? [];
  const same = known.find((one) => one.remotes === remotes && one.formats === formats && one.dialect === dialect);
  if (same !== undefined) return same.validator;
  const validator = shareValidator(schema, options);
  bySchema.set(schema, [{ ...options, validator }, ...known].slice(0, maxKnown));
  return validator;
}

function shareValidator(schema: unknown, options: ValidateOptions): FaultFinder {
  const read = typeof schema === "boolean" ? schema : readSchema(schema);
  if (typeof read !== "boolean" && options.remotes === undefined) checkDialect(read);
  if (options.remotes !== undefined) return createValidator(read, options);
  const key = `${options.formats ?? true} ${options.dialect ?? "2020-12"} ${canonicalJson(read)}`;
  let validator = byContent.get(key)?.deref();
  if (validator === undefined) {
    validator = createValidator(read, options);
    if (forget === undefined) return validator;
    byContent.set(key, new WeakRef(validator));
    forget.register(validator, key);
  }
  return validator;
}

function createValidator(schema: unknown, options: ValidateOptions): FaultFinder {
  const formats = options.formats ?? true;
  let check: Check | undefined;
  let explain: Explain | undefined;
  let defaults: DefaultJudge | false | undefined;

  /** What both functions are made from is not kept: an accepted call needs only the first of them. */
  function make<Made>(from: (resources: Resources, ruleFor: (located: Located) => Rule) => Made): Made {
    try {
      const resources = createResources(schema, {
        dialect: options.dialect ?? "2020-12",
        ...(options.remotes && { remotes: options.remotes }),
      });
      return from(resources, createRules(resources, { formats }));
    } catch (error) {
      throw error instanceof RangeError ? schemaTooDeep() : error;
    }
  }
  function makeCheck(resources: Resources, ruleFor: (located: Located) => Rule): Check {
    const made = generateCheck(resources, ruleFor, formats);
    if (made !== undefined) return made;
    const rule = ruleFor(resources.root);
    return (value) => rule(value, createRun(undefined), undefined);
  }
  function makeExplain(resources: Resources, ruleFor: (located: Located) => Rule): Explain {
    const made = generateExplain(resources, ruleFor, formats);
    if (made !== undefined) return made;
    const rule = ruleFor(resources.root);
    return (value, issues) => void rule(value, createRun(issues), undefined);
  }
  function makeFits({ root: { resource } }: Resources, ruleFor: (located: Located) => Rule): Fits {
    return (part, value) => {
      try {
        return ruleFor({ schema: part, resource })(value, createRun(undefined), undefined);
      } catch {
        return false; // what cannot be checked is not applied
      }
    };
  }

  function faults(value: unknown): readonly Fault[] {
    explain ??= make(makeExplain);
    const found: Fault[] = [];
    try {
      explain(value, found);
    } catch (error) {
      if (found.length === 0) found.push(new Fault([], [], complaintAbout(value, error), value));
    }
    return found;
  }

  return {
    check(value) {
      check ??= make(makeCheck);
      try {
        return check(value);
      } catch (error) {
        complaintAbout(value, error);
        return false;
      }
    },
    faults,
    explain(value) {
      try {
        return faults(value).map((fault) => fault.toIssue());
      } catch (error) {
        // The value itself threw when it was to be shown.
        return [new Fault([], [], complaintAbout(value, error), value).toIssue()];
      }
    },
    fill(value) {
      defaults ??= hasDefaults(schema) && { decided: new Map(), makeFits: () => make(makeFits) };
      return defaults ? fillJudged(schema, value, defaults) : value;
    },
  };
}
