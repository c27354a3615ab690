/** How names in a query, a cookie or a form are compared: many servers read them in any case, and with `[]` behind them, as the same one. */
export function comparedName(name: string): string {
  return name.toLowerCase().replace(/\[\]$/, "");
}
