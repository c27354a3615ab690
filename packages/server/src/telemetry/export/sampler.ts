/** Whether a span is recorded; `parent` says whether the parent is sampled, undefined for a root. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean;

/** The samplers that OTEL_TRACES_SAMPLER names. An unknown one is a fault, and the standard one is used. */
export function readSampler(name = "parentbased_always_on", argument?: string): { readonly sampler: Sampler; readonly fault?: string } {
  const isParentBased = name.startsWith("parentbased_");
  const root = rootSampler(isParentBased ? name.slice("parentbased_".length) : name, argument);
  if (root === undefined) {
    const known = "always_on, always_off, traceidratio, and the same with parentbased_ before them";
    return {
      sampler: standard,
      fault: `OTEL_TRACES_SAMPLER "${name}"${argument === undefined ? "" : ` with OTEL_TRACES_SAMPLER_ARG "${argument}"`} is not supported; all spans are recorded. Known: ${known}; a ratio is between 0 and 1.`,
    };
  }
  return { sampler: isParentBased ? (traceId, parent) => parent ?? root(traceId) : (traceId) => root(traceId) };
}

const standard: Sampler = (_traceId, parent) => parent ?? true;

function rootSampler(name: string, argument = "1"): ((traceId: string) => boolean) | undefined {
  if (name === "always_on") return () => true;
  if (name === "always_off") return () => false;
  const ratio = Number(argument);
  if (name !== "traceidratio" || !(ratio >= 0 && ratio <= 1)) return undefined;
  // The last 14 digits are random in every trace id; the same id is sampled alike everywhere.
  return (traceId) => Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}
