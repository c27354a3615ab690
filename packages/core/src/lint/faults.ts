import { validateValue } from "@toolrack/json-schema";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";

/** A value that stands somewhere in a tool and has to match a part of one of its schemas. */
export interface Claim {
  /** A JSON pointer into the schema. */
  readonly pointer: string;
  readonly value: unknown;
}

export interface Fault {
  /** A JSON pointer into the value. */
  readonly path: string;
  /** "it must be a text, but it is 5." */
  readonly message: string;
}

/**
 * The first fault of each claim, if it has one. All claims are checked in one go, so a schema is read once however many there are.
 * A schema that cannot be applied has no faults here: other rules report it.
 */
export function faultsOf<Made extends Claim>(
  root: JsonObject,
  claims: readonly Made[],
  remotes: Readonly<Record<string, unknown>>,
): Map<Made, Fault> {
  const faults = new Map<Made, Fault>();
  for (const { path, message } of claims.length > 0 ? issuesOf(root, claims, remotes) : []) {
    const [, index, inner] = /^\/(\d+)(.*)$/s.exec(path) ?? [];
    const claim = claims[Number(index)];
    if (claim === undefined || faults.has(claim)) continue;
    faults.set(claim, { path: inner!, message: message.replace(/^\[\d+\]\.?/, inner === "" ? "it" : "") });
  }
  return faults;
}

const documentUri = "schema://lint/";

function issuesOf(root: JsonObject, claims: readonly Claim[], remotes: Readonly<Record<string, unknown>>): readonly Fault[] {
  const parts = claims.map(({ pointer }) => ({ $ref: `${documentUri}#${pointer.split("/").map(encodeURIComponent).join("/")}` }));
  const values = claims.map(({ value }) => value);
  try {
    const result = validateValue({ prefixItems: parts }, values, { remotes: { ...remotes, [documentUri]: root } });
    return result.ok ? [] : result.issues;
  } catch (error) {
    if (ToolError.is(error)) return [];
    throw error;
  }
}
