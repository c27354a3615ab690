/** Whether a text has a control character that is not among those allowed. */
export function hasControl(text: string, allowed = ""): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 || code === 0x7f) && !allowed.includes(text[at]!)) return true;
  }
  return false;
}
