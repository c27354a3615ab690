/**
 * Whether a real part that a test needs is there: a program, a database, a browser. Where TOOLRACK_REQUIRE names it, or is "all", a
 * missing part is an error; elsewhere the test is skipped, and the skip says what is missing.
 */
export function hasPart(name: string, isThere: boolean): boolean {
  if (isThere) return true;
  const required = (globalThis.process?.env["TOOLRACK_REQUIRE"] ?? "").split(",").map((part) => part.trim());
  if (required.includes("all") || required.includes(name)) {
    throw new Error(`${name} is missing, and TOOLRACK_REQUIRE asks for it. Install it, or leave it out of TOOLRACK_REQUIRE.`);
  }
  globalThis.process?.stderr.write(`Skipped: ${name} is missing.\n`);
  return false;
}
