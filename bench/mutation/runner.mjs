import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { getFn, startTests } from "@vitest/runner";
import { getTests } from "@vitest/runner/utils";
import { TestRunner, vi } from "vitest";
import { createMutantSwitch } from "./mutant-switch.mjs";

const plan = JSON.parse(readFileSync(process.env["MUTATION_PLAN"], "utf8"));
const isLook = plan.tries === undefined;
const mutants = (globalThis.__mutants ??= createMutantSwitch());
const cpuBefore = new Map();
// Tests replace them by fake ones.
const { setTimeout, clearTimeout, Date } = globalThis;

/**
 * Vitest's runner in a worker of ours. While it looks (`plan.tries` is absent) every test file runs once, and what reaches which mutant is
 * noted. Afterwards, for each mutant that a file might notice, the tests that reach it run with that mutant on, until one fails.
 */
export default class MutationRunner extends TestRunner {
  onCollectStart(file) {
    if (isLook) mutants.setPlace("load");
    super.onCollectStart(file);
  }

  onCollected(files) {
    if (isLook) mutants.setPlace("file");
    else for (const file of files) skipAll(file);
  }

  async onBeforeRunTask(test) {
    await super.onBeforeRunTask(test);
    if (isLook) mutants.setPlace(test.id);
    cpuBefore.set(test.id, process.cpuUsage());
  }

  onAfterRunTask(test) {
    super.onAfterRunTask(test);
    if (isLook) mutants.setPlace("file");
    const { user, system } = process.cpuUsage(cpuBefore.get(test.id));
    test.meta.cpuMs = (user + system) / 1_000;
  }

  async onAfterRunFiles(files) {
    super.onAfterRunFiles();
    mutants.setPlace(undefined);
    for (const file of files) {
      if (isLook) noteLook(file);
      else await this.#tryMutants(file);
    }
  }

  async #tryMutants({ filepath }) {
    const name = nameOf(filepath);
    for (const attempt of plan.tries[name] ?? []) {
      if (isKilled(attempt.id)) continue;
      const outcome = await this.#tryMutant(filepath, attempt);
      if (outcome !== undefined) appendFileSync(plan.results, line({ kind: "outcome", id: attempt.id, file: name, ...outcome }));
      if (outcome?.killedBy !== undefined) writeFileSync(killedFile(attempt.id), "");
    }
    appendFileSync(plan.results, line({ kind: "done", file: name }));
  }

  /** A failure counts when the same test passes right afterwards without the mutant. */
  async #tryMutant(filepath, { id, tests, reload }) {
    if (reload !== undefined) this.#forgetModules(reload);
    const failed = await this.#runTests(filepath, tests, id);
    if (reload !== undefined) this.#forgetModules(reload);
    if (failed === undefined) return undefined;
    const only = failed.test === undefined ? tests : [failed.test];
    if ((await this.#runTests(filepath, only)) === undefined) return { killedBy: failed.name, how: failed.how };
    // What the mutant, or one before it, left behind is forgotten; then it is tried afresh.
    this.#forgetModules();
    if ((await this.#runTests(filepath, only)) !== undefined) return { unclear: failed.name };
    const again = await this.#runTests(filepath, only, id);
    this.#forgetModules();
    return again === undefined ? undefined : { killedBy: again.name, how: again.how };
  }

  /** The first failure, `{ test, name, how }`; undefined when there is none. */
  async #runTests(filepath, tests, id) {
    const wanted = tests === undefined ? undefined : new Set(tests);
    const failures = [];
    const inner = Object.create(this, { config: { value: { ...this.config, hookTimeout: 20_000 } } });
    const none = () => {};
    Object.assign(inner, { onTaskUpdate: none, onTestAnnotate: none, onTestArtifactRecord: none, onCleanupWorkerContext: none });
    inner.onCollectStart = (file) => TestRunner.prototype.onCollectStart.call(inner, file);
    inner.onCollected = (files) => files.forEach((file) => keepOnly(file, wanted));
    inner.onBeforeRunTask = async (test) => {
      if (failures.length > 0) test.mode = "skip";
      noteProgress(id, limitOf(test));
      await TestRunner.prototype.onBeforeRunTask.call(inner, test);
    };
    inner.onAfterRunTask = (test) => {
      TestRunner.prototype.onAfterRunTask.call(inner, test);
      if (test.result?.state === "fail") failures.push(toFailure(test));
    };
    inner.onAfterRunFiles = () => TestRunner.prototype.onAfterRunFiles.call(inner);
    inner.runTask = (test) => withLimit(getFn(test), limitOf(test));
    this.#forgetFile(filepath);
    noteProgress(id, 60_000);
    if (id !== undefined) mutants.turnOn(id);
    try {
      const files = await startTests([filepath], inner);
      return failures[0] ?? files.map(failureOfSuite).find((failure) => failure !== undefined);
    } catch (error) {
      return { name: "the run itself", how: String(error) };
    } finally {
      mutants.turnOff();
      vi.resetConfig();
      vi.restoreAllMocks();
      noteProgress(undefined, 600_000);
    }
  }

  #forgetFile(filepath) {
    const { evaluatedModules } = this.workerState;
    for (const module of evaluatedModules.fileToModulesMap.get(filepath) ?? []) evaluatedModules.invalidateModule(module);
  }

  /** So that a source file, and what imports it, is evaluated anew; without a file, all of them, as Vitest does between isolated files. */
  #forgetModules(file) {
    const { idToModuleMap, fileToModulesMap } = this.workerState.evaluatedModules;
    const left = file === undefined ? [...idToModuleMap.values()] : [...(fileToModulesMap.get(join(plan.root, file)) ?? [])];
    const seen = new Set(left);
    for (const node of left) {
      if (/\/vitest\/dist\/|vitest-virtual-\w+\/dist|@vitest\/dist/.test(node.id)) continue;
      Object.assign(node, { promise: undefined, exports: undefined, evaluated: false });
      for (const id of node.importers) {
        const importer = idToModuleMap.get(id);
        if (importer === undefined || seen.has(importer)) continue;
        seen.add(importer);
        left.push(importer);
      }
    }
  }
}

function noteLook(file) {
  const notes = mutants.takeNotes();
  const reachedBy = (place) => [...(notes.get(place) ?? [])];
  const tests = getTests(file)
    .filter(({ result }) => result?.state === "pass" || result?.state === "fail")
    .map(({ id, fullName, result, meta }) => ({
      id,
      name: fullName,
      passed: result.state === "pass",
      ms: Math.round(result.duration ?? 0),
      cpuMs: Math.round(meta.cpuMs ?? 0),
      reached: reachedBy(id),
    }));
  const problem = file.result?.errors?.[0]?.message;
  const look = { kind: "look", file: nameOf(file.filepath), problem, tests, atLoad: reachedBy("load"), between: reachedBy("file") };
  appendFileSync(plan.results, line(look));
}

function skipAll(suite) {
  suite.mode = "skip";
  for (const task of suite.tasks ?? []) skipAll(task);
}

/** Suites without a wanted test are skipped with their hooks. Answers whether something is left. */
function keepOnly(task, wanted) {
  if (task.type === "test") {
    if (wanted !== undefined && !wanted.has(task.id)) task.mode = "skip";
    return task.mode !== "skip";
  }
  const isLeft = task.tasks.map((child) => keepOnly(child, wanted)).includes(true);
  if (!isLeft && task.result?.state !== "fail") task.mode = "skip";
  return isLeft;
}

/** Of hooks, and of a file that could not be loaded. */
function failureOfSuite(suite) {
  if (suite.type === "test") return undefined;
  const own = suite.result?.state === "fail" && (suite.result.errors?.length ?? 0) > 0;
  return own ? { name: suite.name, how: shorten(suite.result.errors[0]) } : suite.tasks.map(failureOfSuite).find((failure) => failure);
}

const toFailure = (test) => ({ test: test.id, name: test.fullName, how: shorten(test.result.errors?.[0]) });

const shorten = (error) => `${error?.name ?? "Error"}: ${String(error?.message ?? "").split("\n")[0]}`.slice(0, 160);

const limitOf = (test) => 10_000 + 5 * (plan.durations[test.id] ?? 0);

async function withLimit(act, ms) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still running after ${ms / 1_000} s`)), ms);
  });
  try {
    await Promise.race([act(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/** Read by the process that started this one, which ends it when nothing has come for far too long. */
function noteProgress(id, ms) {
  writeFileSync(join(plan.progress, `${process.pid}.json`), JSON.stringify({ id, until: Date.now() + ms + 30_000 }));
}

const nameOf = (filepath) => relative(plan.root, filepath).replaceAll("\\", "/");

const killedFile = (id) => join(plan.progress, `killed-${encodeURIComponent(id)}`);

const isKilled = (id) => existsSync(killedFile(id));

const line = (value) => `${JSON.stringify(value)}\n`;
