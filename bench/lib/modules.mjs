import { measure } from "./measure.mjs";

/** Loads the modules of a job and measures them in this process; one that cannot be loaded or run has a row with `notRun`. */
export async function measureModules({ unit, subjects, setting, options }) {
  const loaded = [await load(unit, setting)];
  const failed = [];
  for (const subject of subjects) {
    try {
      loaded.push(await load(subject, setting));
    } catch (error) {
      failed.push({ name: subject.name, notRun: String(error?.message ?? error).split("\n")[0] });
    }
  }
  return [...(await measure(loaded, { ...options, unit: unit.name })), ...failed];
}

async function load({ name, file, target }, setting) {
  const { create } = await import(file);
  const run = await create(setting);
  await run();
  return { name, run, target };
}
