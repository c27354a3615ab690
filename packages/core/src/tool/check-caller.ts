import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { checkFields, describeKind, type FieldKind, type FieldsOf, fitsFields, flag, text, texts } from "../util/check-fields.ts";
import type { Caller } from "./context.ts";

/** Throws CONFIG_INVALID for a caller with an unknown field, or with one of the wrong kind: a rule about that field would not apply. */
export function checkCaller(caller: Caller): void {
  if (isUsualCaller(caller) || fitsFields(caller, callerFields)) return;
  if (isObject(caller)) return checkFields(caller, callerFields, { subject: "The caller", word: "field" });
  const fact = `The caller must be an object such as { agent: "support" }, not ${describeKind(caller)}.`;
  throw new ToolError("CONFIG_INVALID", `${fact} {} is a caller of whom nothing is known.`);
}

/** True for most callers that are right, false for the rest. Written out and not a table, because it runs at every call. */
export function isUsualCaller(caller: Caller | undefined): boolean {
  if (!isObject(caller)) return false;
  for (const field in caller) {
    switch (field) {
      case "agent":
      case "principal":
      case "session":
      case "run":
      case "provider":
      case "model":
      case "channel":
      case "group":
      case "sender":
      case "tenant":
      case "phase":
        if (typeof caller[field] !== "string") return false;
        break;
      case "acting":
      case "owner":
      case "sandboxed":
        if (typeof caller[field] !== "boolean") return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

const depth: FieldKind = { is: "a number of 0 or more", test: (value) => typeof value === "number" && value >= 0 };

export const callerFields: FieldsOf<Caller> = {
  agent: text,
  principal: text,
  provider: text,
  model: text,
  channel: text,
  group: text,
  sender: text,
  owner: flag,
  tenant: text,
  session: text,
  run: text,
  subagentDepth: depth,
  sandboxed: flag,
  acting: flag,
  phase: text,
  roles: texts,
  inherited: texts,
};
