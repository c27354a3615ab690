/** RFC 1123: labels of 1 to 63 letters, digits and inner hyphens, 253 characters in all. */
export function isHostname(text: string): boolean {
  return text.length <= maxLength && text.split(".").every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label));
}

const maxLength = 253;

/** RFC 5890: as a hostname, but a label may hold letters, marks and digits of any script. */
export function isIdnHostname(text: string): boolean {
  if (text.length > maxLength) return false;
  const labels = text.split(/[.。．｡]/);
  return labels.every((label) => (isAscii(label) ? isHostname(label) : isUnicodeLabel(label)));
}

function isAscii(label: string): boolean {
  return /^[\0-\x7f]*$/.test(label);
}

function isUnicodeLabel(label: string): boolean {
  if (!/^(?:[-\p{L}\p{M}\p{Nd}\u00b7\u0375\u05f3\u05f4\u06fd\u06fe\u0f0b\u3007\u30fb]|\u200c|\u200d)+$/u.test(label)) return false;
  if (/^-|^..--|-$|^\p{M}|[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u.test(label)) return false;
  return isInContext(label) && isHostname(toAscii(label));
}

/** "bücher" → "xn--bcher-kva", as the host of a URL; "" where it cannot be one. */
function toAscii(label: string): string {
  try {
    return new URL(`http://${label}`).hostname;
  } catch {
    return "";
  }
}

/** The characters that RFC 5892 allows in some neighbourhoods only. */
function isInContext(label: string): boolean {
  if (/(?<!l)\u00b7|\u00b7(?!l)/u.test(label)) return false; // a middle dot, between two l
  if (/\u0375(?!\p{Script=Greek})/u.test(label)) return false;
  if (/(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u.test(label)) return false;
  if (label.includes("\u30fb") && !/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label)) return false;
  if (/[\u0660-\u0669]/.test(label) && /[\u06f0-\u06f9]/.test(label)) return false;
  return !/(?<!\u094d|\p{Script=Arabic})\u200c|(?<![\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])\u200d/u.test(label); // joiners
}
