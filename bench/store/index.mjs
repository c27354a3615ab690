export const title = "A store of 100,000 definitions: how long its questions take";

/** `npm run bench:store -- 10000 sqlite` measures fewer definitions, or one engine. */
export async function run([count = "100000", engine] = []) {
  const { measureStores } = await import("./measure-stores.mjs");
  return measureStores(Number(count), engine);
}
