import type { AcceptedFinding, ScanFinding } from "@toolrack/core/scan";
import type { Breadcrumb } from "@toolrack/store";

/** What the scanner finds in a stored definition: in its words, and in the program or the steps that it is. */
export async function findingsInStored(
  { title, context }: Pick<Breadcrumb, "title" | "context">,
  { among, accept }: { readonly among: readonly unknown[]; readonly accept: readonly AcceptedFinding[] },
): Promise<readonly ScanFinding[]> {
  // Loaded when it is needed: reading and calling need no rules.
  const { scanResult, scanTool } = await import("@toolrack/core/scan");
  const { implementation, upstream: _, state: __, ...words } = context;
  const others = among.filter((tool) => (tool as { readonly name?: unknown }).name !== context["name"]);
  const inside = [...textsOf(implementation)].flatMap(([path, text]) =>
    scanResult(text, { accept }).map((finding) => ({ ...finding, path: placeOf(path, text, finding.path) })),
  );
  return [...scanTool({ ...words, title }, { among: others, accept }), ...inside];
}

/** The texts of an implementation that could speak to a model or a reader: the program, and texts of steps. */
function* textsOf(implementation: unknown): Iterable<readonly [path: string, text: string]> {
  const { kind, source, steps } = (implementation ?? {}) as {
    readonly kind?: unknown;
    readonly source?: unknown;
    readonly steps?: unknown;
  };
  if (kind === "code" && typeof source === "string") yield ["/implementation/source", source];
  if (kind === "chain") yield* textsIn(steps, "/implementation/steps", 0);
}

function* textsIn(value: unknown, path: string, depth: number): Iterable<readonly [path: string, text: string]> {
  if (typeof value === "string" && value.length > shortest) yield [path, value];
  if (typeof value !== "object" || value === null || depth > deepest) return;
  for (const [key, one] of Object.entries(value))
    yield* textsIn(one, `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, depth + 1);
}

/** No order fits into less. */
const shortest = 12;
/** A chain that is deeper is refused. */
const deepest = 70;

/** The range of characters that the scanner tells, as a line of the program: "/implementation/source:12". */
function placeOf(path: string, text: string, range: string): string {
  const [start = "0"] = range.split("-");
  return path.endsWith("/source") ? `${path}:${text.slice(0, Number(start)).split("\n").length}` : path;
}
