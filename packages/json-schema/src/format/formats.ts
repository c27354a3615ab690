import { isEmail, isIdnEmail } from "./email.ts";
import { isHostname, isIdnHostname } from "./hostname.ts";
import { isIpv4, isIpv6 } from "./ip.ts";
import { isDate, isDateTime, isDuration, isTime } from "./time.ts";
import { isIri, isIriReference, isUri, isUriReference, isUriTemplate } from "./uri.ts";

/** The formats that are checked, each in time linear in the text. A format that is not listed here checks nothing. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date-time", isDateTime],
  ["date", isDate],
  ["time", isTime],
  ["duration", isDuration],
  ["email", isEmail],
  ["idn-email", isIdnEmail],
  ["hostname", isHostname],
  ["idn-hostname", isIdnHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", isUri],
  ["uri-reference", isUriReference],
  ["iri", isIri],
  ["iri-reference", isIriReference],
  ["uri-template", isUriTemplate],
  ["uuid", isUuid],
  ["json-pointer", isJsonPointer],
  ["relative-json-pointer", isRelativeJsonPointer],
  ["regex", isRegex],
]);

function isUuid(text: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(text);
}

function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}

/** "1/name": up one level, then down; "0#": the own key; "0-1": the neighbour before. */
function isRelativeJsonPointer(text: string): boolean {
  const start = /^(?:0|[1-9]\d*)(?:[+-][1-9]\d*)?/.exec(text);
  if (start === null) return false;
  const rest = text.slice(start[0].length);
  return rest === "#" || isJsonPointer(rest);
}

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
