import { prepareCourse } from "./measure.mjs";

// Started by peers.mjs, one process for each subject: the subject and the unit come in, then every round is asked for, then the rows.
let course;
const asked = {
  async prepare({ unit, subject, setting, options }) {
    try {
      course = await prepareCourse([await load(unit, setting), await load(subject, setting)], { ...options, unit: unit.name });
      return {};
    } catch (error) {
      return { notRun: String(error?.message ?? error).split("\n")[0] };
    }
  },
  round: ({ round }) => course.runRound(round),
  rows: () => course.rows(),
};

process.on("message", async ({ ask, ...message }) => process.send({ answer: await asked[ask](message) }));

async function load({ name, file, target }, setting) {
  const { create } = await import(file);
  const run = await create(setting);
  await run();
  return { name, run, target };
}
