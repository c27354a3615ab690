/** Stop words: they say nothing about a tool, only how people write and ask. */
export const stopWords: ReadonlySet<string> = new Set(
  (
    "a an the and or of to in on at by for from with without into as is are was were be been being am do does did done have has had " +
    "i me my mine we us our you your he she it its they them their this that these those there here what which who whom when where why " +
    "how can could would should will shall may might must please kindly help need needs needed want wants wanted like let lets give tell " +
    "show provide provides provided some any all also just about if so than then too very not no yes thanks thank hello hi hey okay ok im " +
    "ive id s t m d ll re ve don using use used via per etc such get gets additionally furthermore moreover finally lastly next first " +
    "after before once able assist assistance looking interested know"
  ).split(" "),
);

/** Words that are common in requests and in tools: they count less. */
export const weakWords: ReadonlySet<string> = new Set(
  (
    "information info detail details data list find search lookup latest current currently new best good great specific specifically " +
    "available recommend suggest recommendation suggestions based related various different several many more most other another top " +
    "popular following make create way ways one two three time day today week month year years people person thing things something " +
    "anything someone everything user company work working name names type types number numbers part kind lot bit include including " +
    "includes included retrieve fetch obtain gather check see look wish hope try trying keep come go going take set put ask question " +
    "questions request requests"
  ).split(" "),
);
