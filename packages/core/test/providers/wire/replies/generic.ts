import type { ReplyFixture } from "./reply.ts";

export const genericReplies: readonly ReplyFixture[] = [
  {
    target: "generic",
    typings: "no package",
    whole: {
      calls: [
        { name: "weather", parameters: { city: "Berlin" } },
        { name: "files_read", parameters: '{"path":"a"}' },
      ],
    },
  },
];
