import { answer, caller, policy, toolsOf } from "../setting.mjs";

/** Our endpoint, with a policy, as it listens by itself; `through: "fetch"` takes the way of web requests and responses. */
export async function start({ count, modules, through = "node" }) {
  const [{ createRegistry, readPolicyConfig }, { serveMcp }] = await Promise.all([import(modules.core), import(modules.mcp)]);
  const registry = createRegistry({ policy: readPolicyConfig(policy) });
  for (const tool of toolsOf(count)) registry.register({ ...tool, handler: answer });
  const endpoint = serveMcp(registry, { pageSize: 100_000 });
  // Who asks is what a sign-in would have found; "x-bench-sender" lets one client be many.
  const signIn = ({ headers }) => (headers["x-bench-sender"] === undefined ? caller : { ...caller, sender: headers["x-bench-sender"] });
  if (through === "node") return (await endpoint.listen({ signIn })).port;
  const { serve } = await import("@hono/node-server");
  const fetch = (request) => endpoint.fetch(request, { caller });
  return new Promise((resolve) => serve({ fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port)));
}
