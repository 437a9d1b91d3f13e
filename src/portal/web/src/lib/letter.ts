// A field whose text was sent and did its work: that part goes, and all that was typed meanwhile stays.
export const unsent = (typed: string, sent: string): string => (sent !== '' && typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed);
