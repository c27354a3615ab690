/** The longest delay of a timer; a longer one would run at once. */
export const longestTimerMs = 2_147_483_647;
