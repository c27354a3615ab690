/**
 * A text as one word of a command that a person copies into a shell.
 * shellWord("support") → support, shellWord("a; b") → 'a; b'
 */
export function shellWord(text: string): string {
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
