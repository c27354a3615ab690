/** "a%20b" → "a b"; a text that is not encoded correctly stays as it is. */
export function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
