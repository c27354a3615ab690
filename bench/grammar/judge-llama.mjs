import { getLlama } from "node-llama-cpp";

const llama = getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: "disabled" });

process.on("message", async ({ grammar, texts }) => {
  try {
    const judge = await (await llama).createGrammar({ grammar });
    process.send({ ok: true, accepted: texts.map((text) => judge._testText(text)) });
  } catch (error) {
    process.send({ ok: false, reason: String(error.message).split("\n")[0] });
  }
});
