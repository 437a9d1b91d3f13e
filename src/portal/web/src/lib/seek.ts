// A point of the past in words: a date, an hour, a moment, so long ago; or the next moment on from here at which a condition holds.
import { api, troubleText } from './api.ts';
import { app } from './app.svelte.ts';
import { player } from './player.svelte.ts';
import { hourPoint } from './timeline.ts';

/** Goes to a point, and stops playing. What is wrong with it, if there is no such point. */
export async function travel(to: number | string | null): Promise<string | null> {
  player.stop();
  return app.travel(to);
}

/** Goes where a text says. What is wrong with it, if anything. */
export async function seek(text: string): Promise<string | null> {
  const wanted = text.trim();
  if (!/^when\b/.test(wanted)) return travel(hourPoint(wanted, app.world?.time ?? '') ?? wanted.replace(/^#/, ''));
  try {
    const { found, at, further } = await api.step(null, app.at ?? 0, wanted, true);
    if (found) return await travel(at);
    return further === null || further === undefined ? 'After this it holds nowhere.' : `Not up to #${further}: go there, and look again.`;
  } catch (error) {
    return troubleText(error);
  }
}
