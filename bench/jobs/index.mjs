export const title = "Jobs: what a job costs beside the same call with a key, and what an idle queue costs";

export async function run() {
  const { measureJobs } = await import("./measure-jobs.mjs");
  return measureJobs();
}
