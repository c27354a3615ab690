import type { ScanFinding } from "@toolrack/core/scan";

/** Rules about one tool's words that concern another tool. */
const steeringRules: ReadonlySet<string> = new Set(["other-tools", "pre-emption", "preference", "obey-output", "override"]);

/** The tools of other sources that a definition imitates or steers, as far as the scanner found something. */
export function imitatedBy(
  definition: object,
  findings: readonly ScanFinding[],
  others: readonly { readonly name: string }[],
): readonly string[] {
  const serious = findings.filter(({ severity }) => severity !== "info");
  if (serious.length === 0) return [];
  const text = JSON.stringify(definition);
  const steers = serious.some(({ rule }) => steeringRules.has(rule));
  const lookAlikes = serious.filter(({ rule }) => rule === "look-alike-name").map(({ message }) => message);
  return others
    .map(({ name }) => name)
    .filter((name) => lookAlikes.some((message) => message.includes(JSON.stringify(name))) || (steers && mentions(text, name)))
    .slice(0, maxNames);
}

/** The same as a finding on the tool that is imitated. */
export function imitationFinding({ tool, source, findings }: Imitation): ScanFinding {
  return {
    rule: "imitated",
    severity: findings[0]?.severity ?? "warning",
    path: "/name",
    message: `The tool "${tool}" of "${source}" imitates or steers this tool.`,
    evidence: findings[0]?.evidence ?? "",
    fix: "Look at the other tool: toolrack approvals",
    digest: findings[0]?.digest ?? "",
  };
}

/** The same for those who do not decide about definitions: nothing that the other source says, not even a name. */
export function hiddenImitation({ findings }: Pick<Imitation, "findings">): ScanFinding {
  return {
    rule: "imitated",
    severity: findings[0]?.severity ?? "warning",
    path: "/name",
    message: "A tool of another source, which waits for a person, imitates or steers this tool.",
    evidence: "",
    fix: "Ask somebody who decides about definitions to look at what waits: toolrack approvals",
    digest: "",
  };
}

interface Imitation {
  readonly tool: string;
  readonly source: string;
  readonly findings: readonly ScanFinding[];
}

const maxNames = 50;

/** As a word of its own: "read" is not mentioned by "already". */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w-]/.test(text[at - 1] ?? " ") && !/[\w-]/.test(text[at + name.length] ?? " ")) return true;
  }
  return false;
}
