import { checkFramework } from "./check.mjs";

// Started by index.mjs, under the framework's Node: the module of one framework comes in, its checks go out.
const [file] = process.argv.slice(2);
const answer = await checkFramework(file).then(
  (checks) => ({ checks }),
  (error) => ({ error: String(error?.message ?? error) }),
);
process.send(answer, () => process.exit());
