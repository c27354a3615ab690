import { assert } from "#assert";
import { abortListeners } from "#platform";
import { createRegistry } from "../registry/create.ts";
import type { Registry } from "../registry/registry.ts";
import { codeSource } from "../sources/code.ts";
import type { ToolSource } from "../sources/source.ts";
import type { AnyTool } from "../tool/shapes.ts";
import { fakeTool } from "./fake-call.ts";
import type { ContractCheck } from "./wrapper-contract.ts";

export interface SourceContractOptions<Source extends ToolSource> {
  /** The names of the tools in a registry once the source was read; none for a source that fails. */
  tools: readonly string[];
  /** Makes the source's list another one. */
  change?(source: Source): void | Promise<void>;
}

/** The contract of `ToolSource` as checks for any test runner: `for (const check of sourceContract(…)) it(check.name, check.run)`. */
export function sourceContract<Source extends ToolSource>(
  name: string,
  makeSource: () => Source,
  options: SourceContractOptions<Source>,
): readonly ContractCheck[] {
  const { tools, change } = options;

  const checks: Record<string, () => Promise<void>> = {
    "has an id that can be shown, and keeps it": async () => {
      const source = makeSource();
      const { id } = source;
      assert.ok(typeof id === "string" && id.trim() !== "");
      await outcomeOf(source);
      assert.equal(source.id, id);
    },

    "lists an array, or fails; never anything else": async () => {
      const { listed, failed } = await outcomeOf(makeSource());
      assert.ok(failed || Array.isArray(listed));
    },

    "lists the same tools twice, in the same order and as the same objects": async () => {
      const source = makeSource();
      const [first, second] = [await outcomeOf(source), await outcomeOf(source)];
      assert.equal(first.failed, second.failed);
      assert.equal(first.listed?.length, second.listed?.length);
      first.listed?.forEach((tool, index) => assert.equal(second.listed?.[index], tool, `tool ${index} is another one`));
    },

    "ends when it is aborted, and listens no longer": async () => {
      const source = makeSource();
      const controller = new AbortController();
      const listing = outcomeOf(source, controller.signal);
      controller.abort();
      await listing;
      assert.equal(abortListeners(controller.signal), 0, "an abort listener was left behind");
    },

    "adds its tools under its id, and removes them when it is removed": async () => {
      const registry = createRegistry();
      const source = makeSource();
      await soon(registry.addSource(source));
      const hung = registry.entries().filter((entry) => entry.source === source.id);
      assert.deepEqual(
        hung.map(({ tool }) => tool.name),
        tools,
      );
      assert.deepEqual(registry.sources()[0]?.tools, tools);
      await soon(registry.removeSource(source.id));
      assert.equal(registry.count, 0);
    },

    "affects no other source and no tool but its own": async () => {
      const registry = createRegistry();
      await registry.addSource(codeSource("steady-source", [fakeTool({ name: "steady-tool" })]));
      registry.register(fakeTool({ name: "registered-tool" }));
      const source = makeSource();
      for (const act of [
        () => registry.addSource(source),
        () => registry.refreshSource(source.id),
        () => registry.removeSource(source.id),
      ]) {
        await soon(act().then(() => undefined));
        await assertUnharmed(registry);
      }
    },

    "notifies watchers of a change, and none that stopped": async () => {
      const source = makeSource();
      if (source.watch === undefined || change === undefined) return;
      let [told, toldOther] = [0, 0];
      const stop = source.watch(() => void told++);
      const stopOther = source.watch(() => void toldOther++);
      await change(source);
      assert.ok(told > 0 && toldOther > 0, "a watcher was not told");
      stop();
      stop();
      told = toldOther = 0;
      await change(source);
      assert.equal(told, 0, "a watcher was told after it had stopped");
      assert.ok(toldOther > 0, "one watcher stopped the other");
      stopOther();
    },

    "lists the change after telling of it": async () => {
      const source = makeSource();
      if (source.watch === undefined || change === undefined) return;
      const before = await outcomeOf(source);
      let seen: ReturnType<typeof outcomeOf> | undefined;
      const stop = source.watch(() => (seen = outcomeOf(source)));
      await change(source);
      stop();
      assert.notDeepEqual(await seen, before);
    },

    "can be closed twice": async () => {
      const source = makeSource();
      await outcomeOf(source);
      await source.close?.();
      await source.close?.();
    },
  };
  return Object.entries(checks).map(([check, run]) => ({ name: `${name}: ${check}`, run }));
}

interface Outcome {
  readonly listed: readonly AnyTool[] | undefined;
  readonly failed: boolean;
}

async function outcomeOf(source: ToolSource, signal: AbortSignal = new AbortController().signal): Promise<Outcome> {
  try {
    return { listed: await soon(Promise.resolve(source.list({ signal }))), failed: false };
  } catch (error) {
    if (error instanceof NoEnd) throw error;
    return { listed: undefined, failed: true };
  }
}

class NoEnd extends Error {}

/** What is awaited, if it comes within ten seconds, however busy the machine is. */
async function soon<Value>(awaited: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoEnd("the source did not come to an end")), 10_000);
  });
  try {
    return await Promise.race([awaited, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

async function assertUnharmed(registry: Registry): Promise<void> {
  const names = registry.list().map((tool) => tool.name);
  for (const name of ["steady-tool", "registered-tool"]) {
    assert.ok(names.includes(name), `${name} is gone`);
    assert.equal((await registry.invoke(name, { text: "hi" })).ok, true);
  }
  assert.equal(registry.sources()[0]?.state, "ready");
}
