/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
const sessions = "packages/server/test/http/mcp/sessions.test.ts";
const legacyHandler = "packages/mcp/src/serve/http/legacy-handler.ts";

export const rows = [
  {
    id: "S12",
    attack: "the request id of another session cancels its call",
    test: sessions,
    name: "SC3: nobody cancels the call of another session",
    breaks: [
      {
        file: "packages/mcp/src/serve/http/sessions/session-calls.ts",
        find: "const exchange = sessions.get(session)?.get(request);",
        replace: "const exchange = [...sessions.values()].map((calls) => calls.get(request)).find(Boolean);",
      },
    ],
  },
  {
    id: "S12",
    attack: "answers to made-up questions fill the store that servers share",
    test: sessions,
    name: "SC3: nobody answers a question that was put to another session",
    breaks: [{ file: legacyHandler, find: " || !clientRequests.wasAsked(session.key, message.id)", replace: "" }],
  },
  {
    id: "S12",
    attack: "whoever reads the database reads what people answered, or writes an answer in their place",
    test: "packages/server/test/rack/mcp/sessions.test.ts",
    name: "SC3: a message cannot be read in the store",
    breaks: [
      {
        file: "packages/server/src/rack/mcp/sealed-messages.ts",
        find: "decipher.setAAD(Buffer.from(location))",
        replace: "decipher",
      },
    ],
  },
  {
    id: "S12",
    attack: "a session that was ended on one server is used on another",
    test: sessions,
    name: "SC4: a session that is ended on one server is ended on all",
    breaks: [{ file: "packages/mcp/src/serve/http/sessions/sessions.ts", find: " || store.hasEnded(session.key)", replace: "" }],
  },
  {
    id: "SD12",
    attack: "cancels of made-up requests fill the store that servers share",
    test: "packages/server/test/rack/mcp/sessions.test.ts",
    name: "SD12: messages of one caller are bounded",
    breaks: [{ file: "packages/server/src/rack/mcp/sessions.ts", find: "if (count >= perOwner)", replace: "if (count >= Infinity)" }],
  },
  {
    id: "SD10",
    attack: "a proxy passes a stranger on over the Unix socket, who counts as somebody of this machine",
    test: "packages/server/test/serve-socket.test.ts",
    name: "SL1: trusts who comes over it as on loopback",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/sign-in.ts",
        find: "!request.headerNames().some(isProxyHeader)",
        replace: "(remoteAddress === unixSocket || !request.headerNames().some(isProxyHeader))",
      },
    ],
  },
  {
    id: "SD10",
    attack: "a second server takes the Unix socket of one that runs",
    test: "packages/server/test/serve-socket.test.ts",
    name: "SL2: takes the place of one that was killed",
    breaks: [
      {
        file: "packages/server/src/http/transport/socket-file.ts",
        find: '(error.code === "ECONNREFUSED" ? resolve(false) : reject(error))',
        replace: "void (error.code === undefined ? reject(error) : resolve(false))",
      },
      { file: "packages/server/src/http/transport/socket-file.ts", find: "      resolve(true);", replace: "      resolve(false);" },
    ],
  },
  {
    id: "SD17",
    attack: "the key of the certificate lies open to every user of the machine",
    test: "packages/server/test/serve-tls.test.ts",
    name: "SL4: does not start with a key that others may read",
    breaks: [
      {
        file: "packages/server/src/http/transport/certificate.ts",
        find: 'const key = readSecretFile(keyFile, "TLS key");',
        replace: 'const key = readSecretFile && readFileSync(keyFile, "utf8");',
      },
    ],
  },
  {
    id: "SD10",
    attack: "another program takes the port of a server with a certificate, and is sent the owner's token",
    test: "packages/cli/test/listening.test.ts",
    name: "SL5: is reached by its owner's command line",
    breaks: [
      {
        file: "packages/cli/src/connection/send-by-node.ts",
        find: "fingerprint256 === expected",
        replace: "fingerprint256 !== undefined && expected",
      },
    ],
  },
];
