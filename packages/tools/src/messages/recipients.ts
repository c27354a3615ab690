/** Whether a list lets messages go to somebody: by exact name, by the domain of an e-mail address, or to everybody. Case does not matter in ASCII; elsewhere two letters can have one small form, and be two people. */
export function isRecipient(list: readonly string[], target: string): boolean {
  const wanted = toSmall(target);
  return list.some((entry) => {
    const allowed = toSmall(entry);
    if (allowed === "*" || allowed === wanted) return true;
    return allowed.startsWith("*@") && /^[^@]+@[^@]+$/.test(wanted) && wanted.endsWith(allowed.slice(1));
  });
}

function toSmall(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
