import type { Registry } from "@toolrack/core";
import type { CallLog } from "@toolrack/store";

/** Models are told with `run_code` which tools its programs can call, the most used first. */
export async function withPrograms(listed: Registry, registry: Registry, calls: CallLog): Promise<Registry> {
  const [{ withProgramGuide }, used] = await Promise.all([
    import("./with-guide.ts"),
    calls.statistics().catch(() => []), // the order is all that it is for
  ]);
  const counts = new Map(used.map(({ tool, calls: count }) => [tool, count]));
  return withProgramGuide(listed, registry, () => counts);
}
