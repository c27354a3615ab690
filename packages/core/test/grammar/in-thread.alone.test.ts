import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, it, vi } from "vitest";
import { grammarInThread } from "../../src/grammar/in-thread.ts";
import { toGbnfWithReport } from "../../src/grammar/gbnf.ts";
import { toLark } from "../../src/grammar/lark.ts";

vi.mock("../../src/grammar/thread/thread-file.ts", async (load) => {
  const real = await load<typeof import("../../src/grammar/thread/thread-file.ts")>();
  return { threadFile: () => program ?? real.threadFile() };
});

let program: URL | undefined;

/** Works for ever on everything but "toLark". */
const endless = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", ({ work }) => {
      while (work !== "toLark");
      parentPort.postMessage({ result: "made" });
    });`)}`,
);

afterEach(() => {
  vi.restoreAllMocks();
  program = undefined;
});

describe("SD8: grammarInThread", () => {
  it("SD8: the thread is ended at the deadline, and the next grammar gets a new one", async () => {
    program = endless;
    const ended = vi.spyOn(Worker.prototype, "terminate");
    const late = grammarInThread("toGbnfWithReport", [{}], { maxRunMs: 50 });
    const behind = grammarInThread("toLark", [{ type: "boolean" }]);
    await expect(late).rejects.toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("within 50 ms. Ask for fewer tools") });
    expect(ended).toHaveBeenCalledTimes(1);
    expect(await behind).toBe("made");
    await expect(grammarInThread("toGbnfWithReport", [{}], { maxRunMs: 50 })).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("SD8: the thread is ended when the one who asked has gone", async () => {
    program = endless;
    const ended = vi.spyOn(Worker.prototype, "terminate");
    const gone = new AbortController();
    const asked = grammarInThread("toGbnfWithReport", [{}], { signal: gone.signal });
    setImmediate(() => gone.abort(new Error("gone")));
    await expect(asked).rejects.toThrow("gone");
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it("SD8: builds what this thread would build, and keeps its thread for the next", async () => {
    const schema = { type: "object", properties: { n: { type: "integer", minimum: 3, maximum: 12_345 } } };
    expect(await grammarInThread("toLark", [schema])).toBe(toLark(schema));
    expect(await grammarInThread("toGbnfWithReport", [schema])).toEqual(toGbnfWithReport(schema));
  });

  it("SD8: work that nobody waits for any more is not begun", async () => {
    const asked = vi.spyOn(Worker.prototype, "postMessage");
    await expect(grammarInThread("toLark", [{}], { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(asked).not.toHaveBeenCalled();
  });

  it("SD8: an error keeps its code", async () => {
    await expect(grammarInThread("toolCallLarkWithReport", [[]])).rejects.toMatchObject({ code: "DEFINITION_INVALID" });
  });
});
