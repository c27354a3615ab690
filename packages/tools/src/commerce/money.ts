/** 7990, "EUR" → "EUR 79.90"; 500, "JPY" → "JPY 500". Only whole numbers are used on the way. */
export function formatMoney(minor: number, currency: string): string {
  const digits = fractionDigits(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  return `${currency} ${minor < 0 ? "-" : ""}${whole}${digits === 0 ? "" : `.${text.slice(-digits)}`}`;
}

function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** A share of an amount in hundredths of a per cent, rounded down to a whole minor unit: 999 at 1500 (15 %) → 149. */
export function shareOf(minor: number, share: number): number {
  return Number((BigInt(minor) * BigInt(share)) / 10_000n);
}
