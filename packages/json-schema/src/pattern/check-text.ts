import { SchemaError } from "../errors.ts";

const maxLength = 4_096;

/**
 * Refuses a text that is no regular expression of ECMA-262, and one that is too long. Answers the expression, or undefined for one that only
 * the older grammar without flag `u` takes. Whether it can be run in linear time is for `compilePattern` to say.
 */
export function checkPatternText(source: string): RegExp | undefined {
  if (source.length > maxLength) {
    refusePattern(
      source,
      `it has ${source.length} characters, and ${maxLength} are allowed`,
      "Use an enum, or check a part of it in the handler.",
    );
  }
  const strict = toRegExp(source, "u");
  if (typeof strict !== "string") return strict;
  if (typeof toRegExp(source, "") === "string") {
    refusePattern(source, `it is no regular expression of ECMA-262 (${strict})`, 'Test it with new RegExp(pattern, "u").');
  }
  return undefined;
}

export function refusePattern(source: string, fact: string, advice: string): never {
  const shown = JSON.stringify(source.length > 200 ? `${source.slice(0, 200)}…` : source);
  throw new SchemaError("SCHEMA_INVALID", `Pattern ${shown} cannot be used: ${fact}. ${advice}`);
}

function toRegExp(source: string, flags: string): RegExp | string {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return (error as Error).message.replace(/^.*: /s, "");
  }
}
