import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import type { Mistake } from "../mistake.ts";

const policy = readPolicyConfig({ tools: { deny: ["delete"] } });

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
  { title: "A workspace that is only a path", define: () => createRegistry({ workspace: "/srv/agent" }) },
];
