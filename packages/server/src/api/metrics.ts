import { within } from "@toolrack/core/internal";
import { defineRoute, type Route } from "../http/route.ts";
import type { ClusterReading } from "../rack/cluster/cluster-facts.ts";
import type { Rack } from "../rack/rack.ts";

const metrics = defineRoute({
  method: "GET",
  path: "/metrics",
  atRoot: true,
  id: "getMetrics",
  group: "health",
  summary: "Read the metrics of calls, requests and the process, for Prometheus.",
  needs: ["subscriber", "curator", "admin"],
  answers: { 200: { description: "In the text format 0.0.4.", contentType: "text/plain" } },
  run: async ({ rack, server }) => ({
    text: server.metrics.write(await clusterOf(rack)),
    contentType: "text/plain; version=0.0.4; charset=utf-8",
  }),
});

/** As it was a few seconds ago at most. A scrape does not wait for a store that hangs. */
async function clusterOf({ cluster }: Rack): Promise<ClusterReading | undefined> {
  const outcome = await within(cluster.recent(10_000), 1_000);
  return outcome.ok ? outcome.value : undefined;
}

export const metricsRoutes: readonly Route[] = [metrics];
