import { SchemaError } from "../errors.ts";
import type { Complaint } from "./issues.ts";

/**
 * Says what is wrong with a value that made its check break off: nested too deeply, circular, or not plain JSON.
 * Throws where the schema is to blame: it refers to itself without end, or takes too long.
 */
export function complaintAbout(value: unknown, error: unknown): Complaint {
  if (SchemaError.is(error)) throw error;
  if (!(error instanceof RangeError)) return notJson;
  let isDeep: boolean;
  try {
    isDeep = isDeeperThan(deepestHonest, value);
  } catch {
    return notJson; // the value itself threw: a getter, a proxy
  }
  if (isDeep) return tooDeep;
  throw schemaTooDeep();
}

/** A schema whose validator cannot even be made. */
export function schemaTooDeep(): SchemaError {
  return new SchemaError("SCHEMA_INVALID", "The schema is nested too deeply to be checked, or refers to itself without end. Simplify it.");
}

/** A check that exhausts the stack on a value less deep than this does so because of its schema. */
const deepestHonest = 256;

const tooDeep: Complaint = {
  keyword: "depth",
  expected: "less deeply nested",
  received: () => "circular, or nested too deeply to be checked",
};

const notJson: Complaint = {
  keyword: "json",
  expected: "plain JSON",
  received: () => "something that JSON cannot hold",
};

/** Level by level, so that neither a circle nor a part that stands in many places is followed more often than it is deep. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level = new Set([value]);
  for (let depth = 0; depth <= limit; depth++) {
    level = new Set([...level].flatMap(partsOf));
    if (level.size === 0) return false;
  }
  return true;
}

function partsOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
