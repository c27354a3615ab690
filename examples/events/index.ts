// One ordered stream of events, the progress of a call, and a record of calls.
import assert from "node:assert/strict";
// #region imports
import { createMemoryRecorder, createRegistry, defineTool, type ToolEvent } from "@toolrack/core";
// #endregion

const copy = defineTool({
  name: "copy",
  description: "Copies files.",
  inputSchema: { type: "object", properties: { files: { type: "integer" } }, required: ["files"] },
  handler({ files }, context) {
    for (let done = 1; done <= files; done++) context.progress({ progress: done, total: files });
    return `${files} files copied`;
  },
});

// #region subscribe
const recorder = createMemoryRecorder({ limit: 100 });
const registry = createRegistry({ recorder });
const listener = (event: ToolEvent): void => console.log(`${event.sequence} ${describe(event)}`);
registry.subscribe(listener);
// #endregion

function describe(event: ToolEvent): string {
  switch (event.type) {
    case "call-progress":
      return `${event.type} ${event.progress.progress} of ${event.progress.total}`;
    case "call-end":
      return `${event.type} ${event.tool}: ${event.result.ok ? "ok" : event.result.code}`;
    default:
      return "tool" in event ? `${event.type} ${event.tool}` : event.type;
  }
}

registry.register(copy);
// #region invoke
const updates: (number | undefined)[] = [];
await registry.invoke("copy", { files: 2 }, { caller: { agent: "backup" }, onProgress: ({ progress }) => updates.push(progress) });
// #endregion
await registry.invoke("copy", {});
registry.unregister("copy");
registry.unsubscribe(listener);

// #region records
for (const { tool, input, caller, result } of recorder.calls) {
  console.log(`${caller.agent ?? "somebody"} called ${tool} with ${JSON.stringify(input)}: ${result.ok ? "ok" : result.code}`);
}
// #endregion
assert.deepEqual(updates, [1, 2]);
assert.equal(recorder.calls.length, 2);
