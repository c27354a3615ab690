// Hooks see every call before it runs, and every result before the caller.
import assert from "node:assert/strict";
// #region imports
import { type AfterCallHook, type BeforeCallHook, createRegistry, defineTool } from "@toolrack/core";
// #endregion

const exec = defineTool({
  name: "exec",
  description: "Runs a command. In this example it only says what it would run.",
  inputSchema: {
    type: "object",
    properties: { command: { type: "string" }, folder: { type: "string", default: "." } },
    required: ["command"],
  },
  handler: ({ command, folder }) => `would run "${command}" in ${folder}`,
});

// #region before
const noDeleting: BeforeCallHook = ({ tool, input }) => {
  if (tool === "exec" && String(input["command"]).includes("rm -rf")) return { block: "Deleting whole folders is not allowed here." };
};
const inSandbox: BeforeCallHook = ({ tool, input }) => {
  if (tool === "exec") return { input: { ...input, folder: "/sandbox" } };
};
// #endregion

// #region after
const signed: AfterCallHook = (result) => {
  if (result.ok) return { ...result, content: `${result.content} [checked]` };
};
// #endregion

// #region registry
const registry = createRegistry({ hooks: { before: [noDeleting, inSandbox], after: [signed] } });
registry.register(exec);
// #endregion

const rewritten = await registry.invoke("exec", { command: "ls", folder: "/" });
console.log(rewritten.ok && rewritten.content);
assert(rewritten.ok && rewritten.content === 'would run "ls" in /sandbox [checked]');

const blocked = await registry.invoke("exec", { command: "rm -rf /" });
assert(!blocked.ok && blocked.code === "BLOCKED");
console.log(`${blocked.code}: ${blocked.error}`);

// An input that a hook provides is validated like any other, and a hook that throws blocks the call.
const careless = createRegistry({ hooks: { before: [() => ({ input: { command: 5 } })] } });
careless.register(exec);
const wrong = await careless.invoke("exec", { command: "ls" });
assert(!wrong.ok && wrong.code === "INPUT_INVALID");

const broken = createRegistry({
  hooks: {
    before: [
      () => {
        throw new Error("the rules could not be read");
      },
    ],
  },
});
broken.register(exec);
const stopped = await broken.invoke("exec", { command: "ls" });
assert(!stopped.ok && stopped.code === "BLOCKED");
console.log(stopped.error);
console.log("Around the handler, outermost first:", registry.wrappers("exec").join(", "));
