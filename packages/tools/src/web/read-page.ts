import { Worker } from "node:worker_threads";
import { htmlToText, visibleHtml } from "./html-text.ts";
import { type PageAnswer, type PageJob, readPageProgram } from "./page-program.ts";

export interface ReadPageRequest {
  readonly html: string;
  /** Where it came from, for the links in it. */
  readonly url: string;
  readonly form: "markdown" | "text";
  readonly signal: AbortSignal;
  /** How long the libraries may take over it. @default 10_000 */
  readonly maxRunMs?: number;
}

export interface Page {
  readonly title?: string;
  readonly content: string;
  /** Why only the plain text of the page is given. */
  readonly note?: string;
}

/** A page as text to read. It works in a thread of its own that is ended in time; what is too much for it is read as plain text. */
export async function readPage({ html, url, form, signal, maxRunMs = 10_000 }: ReadPageRequest): Promise<Page> {
  const visible = visibleHtml(html).slice(0, maxLength);
  const answer = await runProgram({ html: visible, url, form: form === "text" ? "html" : "markdown" }, signal, maxRunMs);
  if (typeof answer === "string") return { content: htmlToText(visible), note: answer };
  const { title, content } = answer;
  return { ...(title !== undefined && { title }), content: form === "text" ? htmlToText(content) : content };
}

const maxLength = 2_000_000;

const tooMuch = "The page is too large to parse; this is its plain text.";

/** A sentence where the program failed or did not end in time. */
function runProgram(job: PageJob, signal: AbortSignal, maxRunMs: number): Promise<PageAnswer | string> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(programText, {
      eval: true,
      workerData: { job, home: import.meta.url },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      void worker.terminate();
      settle();
    };
    const giveUp = (): void => end(() => reject(signal.reason as Error));
    const timer = setTimeout(() => end(() => resolve(tooMuch)), maxRunMs);
    signal.addEventListener("abort", giveUp, { once: true });
    worker.once("message", (answer: PageAnswer | string) => end(() => resolve(answer)));
    worker.once("error", () => end(() => resolve(tooMuch)));
    worker.once("exit", () => end(() => resolve(tooMuch)));
  });
}

const notInstalled = "The libraries that parse pages are not installed; this is the plain text of the page.";

/** The libraries are looked for from here, as an import would. */
const programText = `
  const { parentPort, workerData } = require("node:worker_threads");
  const load = require("node:module").createRequire(workerData.home);
  const program = ${readPageProgram.toString()};
  let answer;
  try {
    answer = program(load, workerData.job);
  } catch (error) {
    answer = error?.code === "MODULE_NOT_FOUND" ? ${JSON.stringify(notInstalled)} : ${JSON.stringify(tooMuch)};
  }
  parentPort.postMessage(answer);
`;
