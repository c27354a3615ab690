import { secretForms, secretsToHide } from "@toolrack/testkit/secret-forms";
import { expect, it } from "vitest";
import { createMemoryRecorder } from "../../src/call/ports/recorder.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createFakeSecrets } from "../../src/testing/fake-secrets.ts";

const cases = secretsToHide.flatMap((secret) => Object.keys(secretForms).map((form) => [form, secret] as const));

it.each(cases)("S28: a secret of the handler leaves in no part of a call: %s of %j", async (form, secret) => {
  const text = secretForms[form]!(secret);
  const recorder = createMemoryRecorder();
  const told: unknown[] = [];
  const note = (...parts: unknown[]): void => void told.push(parts);
  const registry = createRegistry({
    secrets: createFakeSecrets({ key: secret }),
    recorder,
    log: { debug: note, info: note, warn: note, error: note },
  });
  registry.register(
    fakeTool({
      metadata: { secrets: ["key"] },
      handler: async (input, { secret: read, progress, log }) => {
        await read("key");
        progress({ progress: 1, message: text });
        log.info(text, { [text]: text });
        if ((input as { fails?: boolean }).fails) throw new Error(text);
        return { content: text, data: { list: [text], [text]: 1 } };
      },
      inputSchema: { type: "object" },
    }),
  );
  for (const input of [{}, { fails: true }]) {
    const result = await registry.invoke("echo", input, { onProgress: (update) => void told.push(update) });
    expect(JSON.stringify(result)).toContain("[redacted]");
    expect(JSON.stringify(result)).not.toContain(JSON.stringify(text).slice(1, -1));
  }
  expect(JSON.stringify(told)).toContain("[redacted]");
  expect(JSON.stringify([told, recorder.calls])).not.toContain(JSON.stringify(text).slice(1, -1));
});
