/** Settings with an agent that says what `said.txt` holds, and reports no tokens: what it reads is estimated. */
export const TALKER =
  "agent: command\ncommand: sh -c 'cat > /dev/null; cat said.txt; echo DONE:$ESPALIER_SIGNAL_ID'\n";
