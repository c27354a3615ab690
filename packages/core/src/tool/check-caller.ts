import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import { checkFields, describeKind, type FieldKind, type FieldsOf, fitsFields, flag, text, texts } from "../util/check-fields.ts";
import type { Caller } from "./context.ts";

/** Throws CONFIG_INVALID for a caller with an unknown field, or with one of the wrong kind: a rule about that field would not apply. */
export function checkCaller(caller: Caller): void {
  if (fitsFields(caller, callerFields)) return;
  if (isObject(caller)) return checkFields(caller, callerFields, { subject: "The caller", word: "field" });
  const fact = `The caller must be an object such as { agent: "support" }, not ${describeKind(caller)}.`;
  throw new ToolError("CONFIG_INVALID", `${fact} {} is a caller of whom nothing is known.`);
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
  phase: text,
  roles: texts,
};
