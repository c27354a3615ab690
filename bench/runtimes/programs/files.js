import { createRegistry, defineTool } from "@toolrack/core";
import { wrapToolWorkspaceRootGuard } from "@toolrack/core/compat";
import { decideCall, policyFromConfig, readPolicyConfig } from "@toolrack/core/policy";

const read = defineTool({
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  handler: () => "read",
});

/** What is about files and programs, which not every runtime has. */
export async function runFiles() {
  const config = { tools: { paths: [{ tool: "read", deny: ["*.env"] }] } };
  const registry = createRegistry({ policy: readPolicyConfig(config) });
  registry.register(read);
  registry.register({ ...read, name: "log", metadata: { requiresCapabilities: ["binary:no-such-program"] } });
  const call = (name, input) => registry.invoke(name, input).then(outcomeOf);
  return {
    workspace: await outcomeIn("/tmp", "a.txt"),
    outside: await outcomeIn("/tmp", "../a.txt"),
    guard: thrownBy(() => wrapToolWorkspaceRootGuard(read, "/tmp")),
    deniedPath: await call("read", { path: ".env" }),
    otherPath: await call("read", { path: "a.txt" }),
    decision: decideCall({ tool: read, input: { path: "a.txt" }, caller: {}, rules: policyFromConfig(config, {}).rules }).outcome,
    noPath: await call("read", {}),
    program: await call("log", {}),
  };
}

async function outcomeIn(root, path) {
  let registry;
  const thrown = thrownBy(() => (registry = createRegistry({ workspace: { root } })));
  if (registry === undefined) return thrown;
  registry.register(read);
  return outcomeOf(await registry.invoke("read", { path }));
}

function thrownBy(action) {
  try {
    action();
    return "nothing";
  } catch (error) {
    return `${error.code} ${error.message}`;
  }
}

function outcomeOf(result) {
  return result.ok ? result.content : `${result.code} ${result.error}`;
}
