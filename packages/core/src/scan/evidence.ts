/** No finding shows more. */
const maxLength = 200;

/** A piece of text as it is shown in a finding: at most 200 characters, in one line, with what nobody sees spelled out: "U+200B". */
export function evidenceOf(text: string): string {
  const shown = spelled(text.slice(0, 2 * maxLength)).trim();
  return shown.length <= maxLength && text.length <= 2 * maxLength ? shown : `${cut(shown, maxLength - 1)}…`;
}

function spelled(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu, (character) => {
      const code = character.codePointAt(0)!;
      return code === 9 || code === 10 || code === 13 ? " " : ` U+${code.toString(16).toUpperCase().padStart(4, "0")} `;
    })
    .replaceAll(/\s+/g, " ");
}

/** Never half of a pair of surrogates. */
function cut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
