/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
const [brokerTest, sealTest] = ["packages/workers/test/encryption.test.ts", "packages/workers/test/protocol/seal.test.ts"];
const [channel, seal] = ["packages/workers/src/protocol/channel.ts", "packages/workers/src/protocol/seal.ts"];
const boundTo = "[protocol, direction, subject, header]";

export const rows = [
  {
    id: "TD7",
    attack: "everybody who listens to the broker reads the inputs, results and secrets of calls on workers",
    test: brokerTest,
    name: "TD7: carries no argument, result, secret, question, progress, log or error that can be read",
    breaks: [
      {
        file: seal,
        find: "...(!isOfTwo && { call: body.call }) }",
        replace: "...(!isOfTwo && { call: body.call }), body: JSON.stringify(body).slice(0, 200) }",
      },
    ],
  },
  {
    id: "TD7",
    attack: "a message to a worker is recorded and sent again",
    test: sealTest,
    name: "is opened once, by the other one, for its subject",
    breaks: [{ file: channel, find: "number <= received || ", replace: "" }],
  },
  {
    id: "TD7",
    attack: "a message to a worker is sent to another subject",
    test: sealTest,
    name: "is opened once, by the other one, for its subject",
    breaks: [{ file: channel, find: boundTo, replace: "[protocol, direction, header]" }],
  },
  {
    id: "TD7",
    attack: "a message to a worker is changed on its way",
    test: sealTest,
    name: "is not opened where any byte of it is another",
    breaks: [
      {
        file: channel,
        find: "decipher.update(sealed.subarray(0, end)), decipher.final()",
        replace: "decipher.update(sealed.subarray(0, end))",
      },
    ],
  },
  {
    id: "TD7",
    attack: "a message of a server is sent back to it as if its worker had sent it",
    test: sealTest,
    name: "is not opened where it is sent back to who sent it, under any name",
    breaks: [
      {
        file: channel,
        find: 'const directions = { server: "to worker", worker: "to server" }',
        replace: 'const directions = { server: "to worker", worker: "to worker" }',
      },
      { file: channel, find: boundTo, replace: "[protocol, direction, subject]" },
    ],
  },
  {
    id: "TD7",
    attack: "somebody who learns the key of two processes reads the calls between them",
    test: sealTest,
    name: "have other keys for each call: who learns those of one reads no other",
    breaks: [
      { file: seal, find: "const context = [...contextOf(pair.sender, own, theirs as string), call];", replace: "const context = [call];" },
      { file: seal, find: "{ side, secret, salt: pair.channel.root, context }", replace: "{ side, secret: pair.channel.root, context }" },
    ],
  },
  {
    id: "TD7",
    attack: "a worker of an older version, which does not encrypt, is given calls",
    test: brokerTest,
    name: "TD7: is refused of a worker, whose operator reads which version it has and what to do",
    breaks: [{ file: seal, find: "if (version === protocol) return", replace: "return" }],
  },
];
