import { createMemoryConfig, createMemoryRecorder, createMemorySecrets, createRegistry, defineTool, withWrapper } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import type { Mistake } from "../mistake.ts";

const policy = readPolicyConfig({ tools: { deny: ["delete"] } });

const weather = defineTool({ name: "weather", description: "…", inputSchema: { type: "object" }, handler: () => "sunny" });

export const options: readonly Mistake[] = [
  { title: "A misspelt option: `polcy`", define: () => createRegistry({ polcy: policy }) },
  { title: "A misspelt limit: `timeoutMS`", define: () => createRegistry({ limits: { timeoutMS: 5_000 } }) },
  { title: "A limit with a unit", define: () => createRegistry({ limits: { timeoutMs: "5s" } }) },
  { title: "A limit outside `limits`", define: () => createRegistry({ timeoutMs: 5_000 }) },
  { title: "A hook that is not in a list", define: () => createRegistry({ hooks: { before: () => undefined } }) },
  { title: "A misspelt hook: `befor`", define: () => createRegistry({ hooks: { befor: [] } }) },
  { title: "A recorder that records nothing", define: () => createRegistry({ recorder: {} }) },
  { title: "Secrets as a plain object", define: () => createRegistry({ secrets: { TOKEN: "…" } }) },
  { title: "A misspelt mode: `stirct`", define: () => createRegistry({ outputValidation: "stirct" }) },
  {
    title: "A misspelt method of a wrapper: `befroeRun`",
    define: () => createRegistry({ wrappers: [{ wrapper: { name: "mine", befroeRun: () => undefined }, at: "outermost" }] }),
  },
  {
    title: "A position that the chain does not have",
    define: () => createRegistry({ wrappers: [{ wrapper: { name: "mine" }, at: "outside" }] }),
  },
  { title: "A wrapper without its position", define: () => createRegistry({ wrappers: [{ name: "mine", run: (next: unknown) => next }] }) },
  { title: "Retries without their number", define: () => createRegistry({ limits: { retry: {} } }) },
  { title: "`closeServices` without services", define: () => createRegistry({ closeServices: () => undefined }) },
  { title: "A secret that is a number", define: () => createMemorySecrets({ KEY: 5 }) },
  { title: "A configuration that is a text", define: () => createMemoryConfig("weather") },
  { title: "A misspelt option of a recorder: `limitt`", define: () => createMemoryRecorder({ limitt: 5 }) },
  { title: "A wrapper that is missing", define: () => withWrapper(weather) },
  { title: "A wrapper around what is no tool", define: () => withWrapper({}, { name: "mine" }) },
  { title: "A workspace that is only a path", define: () => createRegistry({ workspace: "/srv/agent" }) },
];
