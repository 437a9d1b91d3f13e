// A field whose text was sent and did its work: that part goes, and all that was typed behind it stays. A word that was typed on is another text.
export const unsent = (typed: string, sent: string): string => (sent !== '' && (typed === sent || (typed.startsWith(sent) && /\s/.test(typed.charAt(sent.length)))) ? typed.slice(sent.length).replace(/^[ \t]*\n?/, '') : typed);
