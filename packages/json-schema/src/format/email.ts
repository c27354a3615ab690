import { isHostname, isIdnHostname } from "./hostname.ts";
import { isIpv4, isIpv6 } from "./ip.ts";

/** RFC 5321: "joe.bloggs@example.com", "\"joe bloggs\"@example.com", "joe@[127.0.0.1]". */
export function isEmail(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text) && isMailbox(text, isHostname);
}

/** RFC 6531: the same with letters of every script on both sides. */
export function isIdnEmail(text: string): boolean {
  return isMailbox(text, isIdnHostname);
}

const maxLocalPart = 64;

function isMailbox(text: string, isDomain: (text: string) => boolean): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (at < 1 || local.length > maxLocalPart) return false;
  return (isDotString(local) || isQuotedString(local)) && (isDomain(domain) || isAddressLiteral(domain));
}

function isDotString(local: string): boolean {
  return local.split(".").every((atom) => /^[\w!#$%&'*+/=?^`{|}~\-\u0080-\uffff]+$/.test(atom));
}

function isQuotedString(local: string): boolean {
  return /^"(?:[ !#-[\]-~\u0080-\uffff]|\\[ -~])*"$/.test(local);
}

function isAddressLiteral(domain: string): boolean {
  if (!domain.startsWith("[") || !domain.endsWith("]")) return false;
  const address = domain.slice(1, -1);
  return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
}
