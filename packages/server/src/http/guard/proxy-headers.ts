/** Whether a header shows that a proxy forwarded the request: then the connection says nothing about the client. */
export function isProxyHeader(name: string): boolean {
  return names.has(name) || starts.some((start) => name.startsWith(start)) || ends.some((end) => name.endsWith(end));
}

const names: ReadonlySet<string> = new Set([
  "forwarded",
  "via",
  "cdn-loop",
  "x-real-ip",
  "x-appengine-user-ip",
  "x-proxyuser-ip",
  "proxy-authorization",
]);
/** x-forwarded-for, -host, -proto …; x-original-url, -host …; x-envoy-…, cf-ray and cf-visitor. */
const starts: readonly string[] = ["x-forwarded", "x-original-", "x-envoy-", "cf-", "x-arr-", "x-azure-", "fastly-"];
/** cf-, true-, x-, fly-, x-cluster-client-ip. */
const ends: readonly string[] = ["client-ip", "clientip", "connecting-ip"];
