// The fourteen hues of roles are told apart in both modes, by those who see all colours and by those who do not, and each stands out from what it is drawn on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

type Rgb = [number, number, number];
const tokens = readFileSync('src/tokens.css', 'utf8');

/** A colour of the tokens, in light and in dark, in linear light. */
function colours(name: string): [Rgb, Rgb] {
  const pair = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(tokens);
  assert.ok(pair?.[1] && pair[2], `--${name} stands in tokens.css`);
  return [linear(pair[1]), linear(pair[2])];
}
function linear(hex: string): Rgb {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
}
/** How each kind of eye sees linear light (Machado, Oliveira and Fernandes 2009, at full severity). */
const EYES: Record<string, Rgb[]> = {
  full: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanope: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranope: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanope: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};
const times = (matrix: Rgb[], [r, g, b]: Rgb): Rgb => matrix.map((row) => row[0] * r + row[1] * g + row[2] * b) as Rgb;
function oklab(rgb: Rgb): Rgb {
  const lms = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], rgb.map((value) => Math.min(1, Math.max(0, value))) as Rgb).map(Math.cbrt) as Rgb;
  return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], lms);
}
const apart = (one: Rgb, other: Rgb): number => Math.hypot(...oklab(one).map((value, at) => value - (oklab(other)[at] ?? 0)));
const bright = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
const contrast = (one: Rgb, other: Rgb): number => (Math.max(bright(one), bright(other)) + 0.05) / (Math.min(bright(one), bright(other)) + 0.05);

const roles = Array.from({ length: 14 }, (_, at) => `role-${at + 1}`);

test('any two hues of roles are told apart by every eye', () => {
  for (const [mode, least] of [[0, 0.086], [1, 0.098]] as const) {
    for (const [eye, matrix] of Object.entries(EYES)) {
      roles.forEach((one, at) => roles.slice(at + 1).forEach((other) => {
        const far = apart(times(matrix, colours(one)[mode]), times(matrix, colours(other)[mode]));
        assert.ok(far >= least, `${mode ? 'dark' : 'light'}, ${eye}: ${one} and ${other} are ${far.toFixed(3)} apart`);
      }));
    }
  }
});

test('each hue stands out from a sheet and from a floor', () => {
  for (const mode of [0, 1] as const) {
    for (const role of roles) for (const ground of ['sheet', 'floor']) {
      const found = contrast(colours(role)[mode], colours(ground)[mode]);
      assert.ok(found >= 3, `${mode ? 'dark' : 'light'}: ${role} on ${ground} has ${found.toFixed(2)}:1`);
    }
  }
});

test('what is written is read on everything that it stands on', () => {
  for (const mode of [0, 1] as const) {
    for (const ink of ['ink', 'ink-2', 'ink-3', 'accent', 'refusal', 'failure', 'watch', 'thinking']) for (const ground of ['paper', 'sheet', 'raised', 'sunk']) {
      if (ink !== 'ink' && ink !== 'ink-2' && ground === 'sunk') continue;
      const found = contrast(colours(ink)[mode], colours(ground)[mode]);
      assert.ok(found >= 4.5, `${mode ? 'dark' : 'light'}: ${ink} on ${ground} has ${found.toFixed(2)}:1`);
    }
  }
});
