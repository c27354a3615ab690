import { defineRoute, type Route } from "../http/route.ts";

const metrics = defineRoute({
  method: "GET",
  path: "/metrics",
  atRoot: true,
  id: "getMetrics",
  group: "health",
  summary: "Read the metrics of calls, requests and the process, for Prometheus.",
  needs: ["subscriber", "curator", "admin"],
  answers: { 200: { description: "In the text format 0.0.4.", contentType: "text/plain" } },
  run: ({ server }) => ({ text: server.metrics.write(), contentType: "text/plain; version=0.0.4; charset=utf-8" }),
});

export const metricsRoutes: readonly Route[] = [metrics];
