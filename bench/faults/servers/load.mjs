import { setTimeout as sleep } from "node:timers/promises";

/**
 * Callers that go from server to server, half of them with an idempotency key that they use again, elsewhere, after whatever was no
 * final answer. `urls` answers the servers as they are now.
 */
export function startLoad({ urls, key, name, callers = 6, pauseMs = 20, workMs = 0 }) {
  const answers = [];
  let isOver = false;
  let count = 0;

  async function call(token, url, idempotencyKey) {
    const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const asked = { token, url, isKeyed: idempotencyKey !== undefined, at: Date.now() };
    try {
      const response = await fetch(`${url}/api/v1/tools/mark/call`, {
        method: "POST",
        headers,
        body: JSON.stringify({ input: { token, ms: workMs } }),
        signal: AbortSignal.timeout(60_000),
      });
      const body = await response.json();
      const callId = body.meta?.callId ?? body.callId;
      const answer = { ...asked, status: response.status, ok: response.ok && body.ok !== false, code: body.code ?? "OK", callId };
      answer.hasRetryAfter = response.headers.has("retry-after");
      answer.ms = Date.now() - asked.at;
      answers.push(answer);
      return answer;
    } catch (error) {
      const answer = { ...asked, status: 0, ok: false, code: error.name === "TimeoutError" ? "no answer in 60 s" : "connection lost" };
      answer.ms = Date.now() - asked.at;
      answers.push(answer);
      return answer;
    }
  }

  async function loop(caller) {
    for (let turn = caller; !isOver; turn++) {
      const all = urls();
      const token = `${name}-${caller}-${count++}`;
      const isKeyed = count % 2 === 0;
      let answer = await call(token, all[turn % all.length], isKeyed ? token : undefined);
      for (let again = 1; isKeyed && !isFinal(answer) && again < 4; again++) {
        await sleep(200);
        answer = await call(token, all[(turn + again) % all.length], token);
      }
      await sleep(answer.ok ? pauseMs : 50);
    }
  }

  const loops = Array.from({ length: callers }, (_, caller) => loop(caller));
  return {
    answers,
    async stop() {
      isOver = true;
      await Promise.all(loops);
      return answers;
    },
  };
}

/** Whether asking again makes no sense. */
function isFinal({ ok, status }) {
  return ok || (status >= 400 && status < 500 && status !== 429 && status !== 408);
}

/** Until every server makes calls again; answers how long that took, or undefined when it did not within the limit. */
export async function untilRecovered({ urls, key, limitMs = 90_000 }) {
  const startedAt = performance.now();
  for (const url of urls()) {
    for (;;) {
      if (performance.now() - startedAt > limitMs) return undefined;
      const isBack = await fetch(`${url}/api/v1/tools/mark/call`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
        body: JSON.stringify({ input: { token: `probe-${Math.random()}` } }),
        signal: AbortSignal.timeout(10_000),
      }).then(
        (response) => response.ok,
        () => false,
      );
      if (isBack) break;
      await sleep(50);
    }
  }
  return performance.now() - startedAt;
}
