import { checkProgram } from "../check/check.ts";
import { compileUnit } from "../compile/compile.ts";
import type { Unit } from "../compile/code.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { nestedTooDeeply } from "../parse/bounded-depth.ts";
import { parseProgram, type ParsedProgram } from "../parse/parse.ts";
import { resolveNames } from "../scope/resolve.ts";
import type { Resolved } from "../scope/scope.ts";

export interface PreparedProgram {
  /** Nothing was found that keeps the program from running. */
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a program and checks that the language holds all that it uses. Runs nothing. */
export function prepareProgram(source: string): PreparedProgram {
  const unit = compileSource(source, false);
  return Array.isArray(unit) ? { ok: false, diagnostics: unit } : { ok: true, diagnostics: [] };
}

interface Checked {
  readonly parsed: ParsedProgram;
  readonly resolved: Resolved;
}

const maximumSource = 1_000_000;

function checkSource(source: string): Checked | Diagnostic[] {
  if (typeof source !== "string") return [{ kind: "syntax", message: "A program is a text.", line: 1, column: 1 }];
  if (source.length > maximumSource)
    return [{ kind: "syntax", message: "A program cannot be longer than 1,000,000 characters.", line: 1, column: 1 }];
  const parsed = parseProgram(source);
  if ("kind" in parsed) return [parsed];
  try {
    const resolved = resolveNames(parsed.text, parsed.root);
    const diagnostics = checkProgram(parsed.text, parsed.root, resolved);
    return diagnostics.length > 0 ? diagnostics : { parsed, resolved };
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
}

const tooDeep: Diagnostic = {
  kind: "syntax",
  message: nestedTooDeeply,
  line: 1,
  column: 1,
};

const kept = new Map<string, Unit>();
let keptLength = 0;
const maximumKept = 100;
/** Of their sources together: compiled programs take about thirty times as much. */
const maximumKeptLength = 250_000;

/** The compiled program, from those kept if it was compiled lately. */
export function compileSource(source: string, tracked: boolean): Unit | Diagnostic[] {
  const key = `${tracked ? "t" : "p"}${source}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const checked = checkSource(source);
  if (Array.isArray(checked)) return checked;
  let unit: Unit;
  try {
    unit = compileUnit(checked.parsed.text, checked.parsed.root, checked.resolved, tracked);
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
  if (key.length <= maximumKeptLength) {
    kept.set(key, unit);
    keptLength += key.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= maximumKept && keptLength <= maximumKeptLength) break;
      kept.delete(oldest);
      keptLength -= oldest.length;
    }
  }
  return unit;
}
