import { createHash } from "node:crypto";
import { canonicalJson } from "@toolrack/core/internal";
import type { JsonObject } from "./breadcrumb.ts";

/** An object that is not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** "sha256:" and the digest of the canonical JSON. */
export function checksumOf(value: unknown): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}

export function jsonEquals(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}
