/** Whether a list lets messages go to somebody: by exact name, by the domain of an e-mail address, or to everybody. Case does not matter. */
export function isRecipient(list: readonly string[], target: string): boolean {
  const wanted = target.toLowerCase();
  return list.some((entry) => {
    const allowed = entry.toLowerCase();
    if (allowed === "*" || allowed === wanted) return true;
    return allowed.startsWith("*@") && /^[^@]+@[^@]+$/.test(wanted) && wanted.endsWith(allowed.slice(1));
  });
}
