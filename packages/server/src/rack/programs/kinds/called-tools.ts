/** The tools that a stored definition may call; undefined for other kinds than code and chain. */
export function calledTools({ context }: { readonly context: Readonly<Record<string, unknown>> }): readonly string[] | undefined {
  const { kind, tools, steps } = (context["implementation"] ?? {}) as {
    readonly kind?: unknown;
    readonly tools?: unknown;
    readonly steps?: unknown;
  };
  const texts = (list: readonly unknown[]): readonly string[] => [...new Set(list.filter((one) => typeof one === "string"))];
  if (kind === "code") return texts(Array.isArray(tools) ? tools : []);
  if (kind !== "chain") return undefined;
  return texts(Array.isArray(steps) ? steps.map((step) => (step as { readonly tool?: unknown } | null)?.tool) : []);
}
