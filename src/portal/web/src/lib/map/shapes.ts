// What things look like on the map: a small vocabulary of shapes, each drawn by a few plain parts around the middle of its foot, about 60 wide and 50 high.
//
// A source names one (`look.icon`), else it is guessed from what a station does, from the type of a thing, from its name; what no word fits is a slab with its first letter.
import type { Look } from '../wire.ts';

/** A drawing: SVG that holds nobody's text, how wide and high it is, and where what it holds lies. */
export interface Shape { svg: string; w: number; h: number; top?: number }

const rect = (x: number, y: number, w: number, h: number, fill: string, r = 0): string => `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}"/>`;
const disc = (x: number, y: number, r: number, fill: string): string => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`;
const ring = (x: number, y: number, r: number, stroke: string, w: number): string => `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${stroke}" stroke-width="${w}"/>`;
const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`;
const line = (d: string, stroke: string, w = 2): string => `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${w}" stroke-linecap="round" stroke-linejoin="round"/>`;
const shade = (w: number): string => `<ellipse cx="4" cy="0" rx="${w}" ry="5" fill="var(--shade)"/>`;

const WOOD = 'var(--wood)', WOOD2 = 'var(--wood-2)', STEEL = 'var(--steel)', STEEL2 = 'var(--steel-2)', STEEL3 = 'var(--steel-3)', GLASS = 'var(--glass)', LEAF = 'var(--leaf)', LEAF2 = 'var(--leaf-2)',
  PAGE = 'var(--page)', PAINT = 'var(--look, var(--paint))', RED = 'var(--look, var(--red))', RED2 = 'var(--red-2)', BRICK = 'var(--look, var(--brick))', SLATE = 'var(--look, var(--slate))', SAND = 'var(--look, var(--sand))', CLOTH = 'var(--look, var(--cloth))', FLOOR = 'var(--floor)', WATER = 'var(--water)', GLOW = 'var(--watch)';

/** A table of wood, on which most work is done. */
const bench = (w = 64, top = WOOD): string => shade(w / 2 + 3) + rect(-w / 2, -22, w, 7, top, 2) + rect(-w / 2, -15, w, 3, WOOD2) + rect(-w / 2 + 4, -12, 5, 12, WOOD2) + rect(w / 2 - 9, -12, 5, 12, WOOD2);
const books = (x: number, y: number, heights: number[], fills: string[]): string => heights.map((h, at) => rect(x + at * 5, y - h, 4, h, fills[at % fills.length] ?? PAINT, 0.8)).join('');
const SPINES = ['var(--brick)', 'var(--slate)', 'var(--paint)', 'var(--sand)', 'var(--cloth)'];
const leaf = (x: number, y: number, r: number): string => disc(x, y, r, LEAF) + disc(x + r * 0.45, y + r * 0.35, r * 0.6, LEAF2);

const SHAPES: Record<string, Shape> = {
  bench: { w: 68, h: 30, top: -22, svg: bench() + rect(-26, -31, 15, 9, STEEL3, 2) + line('M-2-24h24', STEEL2, 3.5) },
  press: { w: 70, h: 58, top: -12, svg: shade(37) + rect(-32, -11, 64, 11, STEEL2, 2) + rect(-29, -49, 8, 40, STEEL) + rect(21, -49, 8, 40, STEEL) + rect(-34, -57, 68, 12, STEEL3, 3) + `<g class="moves">${rect(-4, -46, 8, 18, STEEL3)}${rect(-18, -30, 36, 8, STEEL2, 2)}</g>` + rect(-16, -14, 32, 2, WOOD) + rect(-16, -17, 32, 2, WOOD) + disc(26, -51, 2.4, 'var(--accent)') },
  lathe: { w: 68, h: 42, top: -22, svg: bench() + rect(-28, -40, 16, 18, STEEL3, 2) + `<g class="turns">${disc(1, -30, 9.5, STEEL)}${line('M1-39v18M-8-30H10M-5.5-36.5l13 13M7.5-36.5l-13 13', STEEL2, 1.5)}</g>` + disc(1, -30, 3, STEEL3) + rect(14, -26, 14, 4, WOOD) },
  saw: { w: 66, h: 38, top: -22, svg: bench() + `<g class="turns">${disc(-4, -26, 10, STEEL)}${line('M-4-36v20M-14-26H6', STEEL2, 1.5)}</g>` + rect(-30, -23, 60, 3, WOOD) + rect(14, -30, 12, 8, STEEL3, 2) },
  tools: { w: 66, h: 38, top: -22, svg: bench() + rect(-27, -37, 24, 15, STEEL2, 2) + line('M-24-32h18M-24-27h18', STEEL, 1.5) + line('M7-27h19', STEEL3, 3.5) + line('M12-27l5-7 5 7', STEEL3, 3) },
  wheels: { w: 66, h: 40, top: -22, svg: bench() + [[-22, -28], [-11, -28], [-16.5, -37]].map(([x = 0, y = 0]) => disc(x, y, 5.2, 'var(--brick)') + disc(x, y, 2.1, FLOOR)).join('') + rect(3, -40, 25, 18, STEEL2, 2) + ring(10, -31, 4, FLOOR, 1.8) + ring(21, -31, 4, FLOOR, 1.8) },
  lamp: { w: 40, h: 54, svg: `<path d="M-2-40-20 0h36L6-40z" fill="var(--watch)" opacity="0.14"/>` + shade(14) + rect(-9, -4, 18, 4, STEEL3, 2) + line('M0-4v-34', STEEL2, 3) + path('M-11-36q0-13 11-13t11 13z', STEEL3) + rect(-5, -37, 10, 3, GLOW, 1) },
  desklamp: { w: 68, h: 56, top: -22, svg: `<path d="M-5-47-26-18h44L6-47z" fill="var(--watch)" opacity="0.17"/>` + bench() + line('M27-22v-24q0-7-8-7H6', STEEL3, 2.6) + path('M-8-46q0-9 8.5-9t8.5 9z', STEEL3) + rect(-24, -27, 15, 5, PAGE) },
  packing: { w: 68, h: 44, top: -22, svg: bench() + rect(-27, -40, 26, 18, SAND) + path('M-27-40l5-5h26l-5 5zM-1-40l5-5v18l-5 5z', WOOD2) + rect(-16, -40, 3, 18, FLOOR) + ring(19, -28, 6, STEEL3, 3.5) },
  desk: { w: 66, h: 44, top: -22, svg: bench(62) + rect(-22, -41, 24, 16, STEEL3, 2) + rect(-20, -39, 20, 12, GLASS, 1) + rect(-12, -25, 4, 3, STEEL2) + rect(11, -26, 14, 4, PAGE) },
  table: { w: 64, h: 28, top: -20, svg: shade(34) + rect(-3, -16, 6, 15, WOOD2) + rect(-12, -3, 24, 3, WOOD2, 1.5) + `<ellipse cx="0" cy="-18" rx="31" ry="9" fill="${WOOD2}"/><ellipse cx="0" cy="-20" rx="31" ry="9" fill="${WOOD}"/>` },
  coffee: { w: 64, h: 36, svg: shade(34) + rect(-3, -16, 6, 15, WOOD2) + rect(-12, -3, 24, 3, WOOD2, 1.5) + `<ellipse cx="0" cy="-18" rx="31" ry="9" fill="${WOOD2}"/><ellipse cx="0" cy="-20" rx="31" ry="9" fill="${WOOD}"/>` + [-12, 11].map((x) => rect(x - 4, -28, 8, 7, PAGE, 2) + line(`M${x + 4}-26.5q4 0 0 4`, PAGE, 1.6) + line(`M${x - 1}-31q-2-2 0-4`, STEEL2, 1.1)).join('') },
  counter: { w: 92, h: 46, top: -30, svg: shade(48) + rect(-44, -28, 88, 28, WOOD) + rect(-47, -32, 94, 6, WOOD2, 2) + [-30, -10, 10, 30].map((x) => rect(x - 0.7, -26, 1.4, 26, WOOD2)).join('') + rect(-36, -46, 20, 14, STEEL3, 2) + disc(-31, -41, 1.6, 'var(--accent)') + rect(-30, -36, 8, 4, STEEL) + rect(6, -38, 7, 6, PAGE, 1.6) + rect(17, -38, 7, 6, PAGE, 1.6) + rect(28, -38, 7, 6, PAGE, 1.6) },
  oven: { w: 52, h: 50, svg: shade(27) + rect(-24, -46, 48, 46, STEEL, 3) + rect(-19, -30, 38, 24, STEEL3, 2) + rect(-16, -27, 32, 18, GLOW, 1.5) + disc(-15, -38, 2.6, STEEL3) + disc(-5, -38, 2.6, STEEL3) + disc(5, -38, 2.6, STEEL3) + disc(15, -38, 2.6, RED) },
  bed: { w: 70, h: 34, svg: shade(36) + rect(-34, -30, 5, 30, WOOD2, 2) + rect(29, -20, 5, 20, WOOD2, 2) + rect(-30, -14, 60, 8, WOOD) + rect(-29, -22, 58, 9, PAGE, 3) + rect(-10, -23, 40, 12, PAINT, 3) + rect(-27, -25, 15, 7, PAGE, 3) },
  chair: { w: 26, h: 36, svg: shade(12) + rect(-9, -34, 4, 34, WOOD2, 1.5) + rect(-9, -17, 19, 4, WOOD, 1) + rect(6, -14, 4, 14, WOOD2, 1) },
  seats: { w: 74, h: 30, svg: shade(38) + [-34, -16, 2, 20].map((x) => rect(x, -28, 14, 15, CLOTH, 3) + rect(x, -13, 14, 5, WOOD) + rect(x + 2, -8, 2.5, 8, WOOD2) + rect(x + 9.5, -8, 2.5, 8, WOOD2)).join('') },
  shelf: { w: 62, h: 54, svg: shade(32) + rect(-30, -54, 60, 54, WOOD2, 2) + [-50, -33, -16].map((y) => rect(-27, y, 54, 14, WOOD)).join('') + books(-25, -36, [12, 10, 13, 11, 12, 9], SPINES) + books(6, -36, [11, 13, 10], SPINES) + books(-25, -19, [13, 12, 9, 11], SPINES) + books(1, -19, [10, 13, 12, 11, 12], SPINES) + books(-25, -2, [11, 13, 12, 10, 13, 11, 12], SPINES) },
  cupboard: { w: 48, h: 54, svg: shade(25) + rect(-22, -52, 44, 50, PAINT, 2) + rect(-19, -49, 18, 44, 'color-mix(in srgb, var(--raised) 26%, transparent)', 1) + rect(1, -49, 18, 44, 'color-mix(in srgb, var(--raised) 26%, transparent)', 1) + disc(-4, -26, 1.6, STEEL3) + disc(4, -26, 1.6, STEEL3) + rect(-19, -2, 5, 2, WOOD2) + rect(14, -2, 5, 2, WOOD2) },
  safe: { w: 42, h: 42, svg: shade(22) + rect(-20, -40, 40, 38, STEEL3, 3) + rect(-16, -36, 32, 30, STEEL2, 2) + ring(0, -21, 8, STEEL, 2.6) + line('M0-29v16M-8-21h16', STEEL, 2) },
  box: { w: 32, h: 30, svg: shade(17) + rect(-15, -22, 30, 22, SAND, 1) + path('M-15-22l5-6h30l-5 6zM15-22l5-6v21l-5 7z', WOOD2) + rect(-3, -22, 5, 22, 'color-mix(in srgb, var(--raised) 45%, transparent)') },
  crate: { w: 30, h: 26, svg: shade(15) + rect(-14, -24, 28, 24, WOOD, 1.5) + `<rect x="-14" y="-24" width="28" height="24" rx="1.5" fill="none" stroke="${WOOD2}" stroke-width="1.8"/>` + line('M-14-12h28M0-24v24', WOOD2, 1.4) },
  bin: { w: 60, h: 40, top: -36, svg: shade(28) + path('M-26-31h52l-5 31h-42z', RED) + rect(-29, -36, 58, 7, RED, 1.5) + rect(-29, -29, 58, 2, RED2) + line('M-10-23v16M0-23v16M10-23v16', RED2, 2) },
  basket: { w: 36, h: 26, top: -18, svg: shade(18) + path('M-17-18h34l-4 18h-26z', SAND) + line('M-12-17q12-14 24 0', WOOD2, 2.4) + line('M-14-12h28M-13-6h26', WOOD2, 1.3) },
  sheets: { w: 44, h: 16, svg: shade(22) + [-4, -7, -10, -13].map((y, at) => rect(-20 + (at % 2), y, 40, 3, at % 2 ? WOOD : SAND, 1)).join('') },
  board: { w: 30, h: 12, svg: `<rect x="-14" y="-10" width="28" height="9" rx="4.5" fill="${WOOD}" stroke="${WOOD2}" stroke-width="1.3"/>` },
  skateboard: { w: 32, h: 14, svg: `<rect x="-15" y="-11" width="30" height="8" rx="4" fill="${WOOD}" stroke="${WOOD2}" stroke-width="1.3"/>` + disc(-9, -2.5, 2.5, 'var(--brick)') + disc(9, -2.5, 2.5, 'var(--brick)') },
  book: { w: 26, h: 20, svg: shade(12) + path('M-12-17q6-3 12 0v15q-6-3-12 0z', PAINT) + path('M0-17q6-3 12 0v15q-6-3-12 0z', PAINT) + path('M-10-15.5q5-2 10 .5v12q-5-2.3-10-.5zM10-15.5q-5-2-10 .5v12q5-2.3 10-.5z', PAGE) },
  paper: { w: 22, h: 24, svg: shade(11) + rect(-9, -23, 18, 22, PAGE, 1.5) + line('M-5-18h10M-5-14h10M-5-10h7', STEEL2, 1.4) },
  letter: { w: 28, h: 20, svg: shade(13) + rect(-13, -19, 26, 18, PAGE, 2) + line('M-12-18l12 9 12-9', STEEL2, 1.5) },
  screen: { w: 52, h: 44, svg: shade(18) + rect(-25, -43, 50, 33, STEEL3, 3) + rect(-22, -40, 44, 27, GLASS, 1.5) + line('M-16-20l8-8 6 5 12-11', 'var(--accent)', 2) + rect(-3, -10, 6, 8, STEEL2) + rect(-12, -3, 24, 3, STEEL2, 1.5) },
  machine: { w: 56, h: 48, svg: shade(29) + rect(-27, -38, 54, 38, STEEL, 3) + rect(-22, -32, 22, 15, GLASS, 2) + disc(9, -27, 5, STEEL3) + disc(20, -27, 3, 'var(--accent)') + rect(-22, -12, 44, 5, STEEL2, 2) + rect(-18, -48, 10, 10, STEEL3, 2) },
  dispenser: { w: 26, h: 50, svg: shade(13) + rect(-12, -48, 24, 48, STEEL3, 3) + rect(-8, -43, 16, 18, GLASS, 1.5) + disc(-4, -19, 1.8, 'var(--accent)') + rect(-7, -13, 14, 8, STEEL2, 1.5) + rect(-3, -10, 6, 5, PAGE, 1) },
  cup: { w: 22, h: 20, svg: shade(9) + rect(-8, -15, 15, 14, PAGE, 3) + line('M7-12.5q6 0 0 7', PAGE, 2.2) + line('M-3-18q-2-3 0-5M2-18q-2-3 0-5', STEEL2, 1.2) },
  bottle: { w: 16, h: 30, svg: shade(7) + path('M-3-29h6v8q4 2 4 6v15h-14v-15q0-4 4-6z', PAINT) + rect(-5, -13, 10, 7, PAGE) },
  instrument: { w: 74, h: 50, svg: shade(38) + path('M-34-34q0-10 12-10h18q10 0 14 8 4 6 24 8v10h-68z', 'var(--look, var(--steel-3))') + rect(-36, -20, 72, 6, PAGE) + Array.from({ length: 11 }, (_, at) => rect(-33 + at * 6.4, -20, 2.6, 3.6, STEEL3)).join('') + rect(-36, -14, 72, 3, 'var(--look, var(--steel-3))') + line('M-28-11v11M28-11v11M0-11v11', 'var(--look, var(--steel-3))', 3.4) },
  vehicle: { w: 74, h: 38, svg: shade(37) + rect(-35, -34, 44, 27, 'var(--look, var(--raised))', 3) + `<rect x="-35" y="-34" width="44" height="27" rx="3" fill="none" stroke="var(--wall)"/>` + path('M9-26h14q4 0 6 4l6 9v6H9z', PAINT) + path('M14-22h8q2 0 3.5 3l3 5H14z', GLASS) + disc(-20, -5, 6, STEEL3) + disc(-20, -5, 2.4, STEEL) + disc(20, -5, 6, STEEL3) + disc(20, -5, 2.4, STEEL) },
  bicycle: { w: 48, h: 32, svg: shade(23) + ring(-13, -9, 8, STEEL3, 2) + ring(13, -9, 8, STEEL3, 2) + line('M-13-9l7-13h12l7 13M-6-22L0-9h-13M0-9l6-13M4-26h6M-9-24h6', PAINT, 2) },
  boat: { w: 62, h: 46, svg: `<ellipse cx="0" cy="-2" rx="31" ry="6" fill="${WATER}"/>` + path('M-27-14h54l-9 12h-36z', WOOD2) + line('M0-14v-30', WOOD2, 2.4) + path('M3-43l19 24H3z', PAGE) + path('M-3-39l-14 20h14z', PAGE) },
  plant: { w: 26, h: 36, svg: shade(11) + leaf(-4, -22, 8) + leaf(5, -25, 8) + leaf(0, -30, 7) + path('M-8-13h16l-3 13h-10z', BRICK) },
  tree: { w: 36, h: 48, svg: shade(15) + rect(-2.5, -18, 5, 18, WOOD2, 1) + leaf(-6, -27, 11) + leaf(6, -29, 11) + leaf(0, -38, 10) },
  bush: { w: 34, h: 18, svg: shade(16) + leaf(-9, -7, 7) + leaf(8, -7, 7) + leaf(0, -10, 8) },
  flowers: { w: 36, h: 20, svg: shade(15) + [[-11, -12], [-3, -16], [5, -12], [12, -15]].map(([x = 0, y = 0], at) => line(`M${x} ${y}V0`, LEAF2, 1.8) + disc(x, y, 4, ['var(--cloth)', 'var(--sand)', 'var(--brick)', 'var(--cloth)'][at] ?? CLOTH) + disc(x, y, 1.5, PAGE)).join('') },
  house: { w: 56, h: 46, svg: shade(28) + rect(-21, -27, 42, 27, 'var(--raised)') + path('M-27-25L0-46l27 21z', BRICK) + rect(-14, -19, 11, 10, GLASS, 1) + rect(5, -19, 10, 19, WOOD2, 1) },
  block: { w: 52, h: 64, svg: shade(27) + rect(-24, -62, 48, 62, SLATE, 2) + [-56, -42, -28].map((y) => [-17, -4, 9].map((x) => rect(x, y, 8, 9, GLASS, 1)).join('')).join('') + rect(-6, -14, 12, 14, WOOD2, 1) },
  shop: { w: 88, h: 60, svg: shade(46) + rect(-41, -42, 82, 42, 'var(--raised)') + [0, 1, 2, 3, 4, 5, 6].map((at) => path(`M${-46 + at * 13.2}-56h13.2l${at < 3 ? -1 : 1} 14q-6.6 6-13 0z`, at % 2 ? PAGE : PAINT)).join('') + rect(-34, -32, 38, 22, GLASS, 1) + rect(13, -34, 18, 34, WOOD2, 1) + disc(27, -17, 1.6, PAGE) },
  stall: { w: 66, h: 50, top: -18, svg: shade(34) + rect(-29, -18, 58, 18, WOOD) + rect(-30, -48, 3, 48, WOOD2) + rect(27, -48, 3, 48, WOOD2) + [0, 1, 2, 3, 4].map((at) => path(`M${-34 + at * 13.6}-50h13.6v10q-6.8 6-13.6 0z`, at % 2 ? PAGE : BRICK)).join('') },
  tower: { w: 44, h: 92, svg: shade(26) + path('M-15-64h30l6 64h-42z', PAGE) + path('M-16.5-48h33l1.3 14h-35.6zM-19-18h38l1 10h-40z', RED) + rect(-17, -72, 34, 9, STEEL3, 2) + rect(-11, -84, 22, 13, GLOW, 2) + path('M-14-83L0-94l14 11z', STEEL3) + rect(-5, -14, 10, 14, WOOD2, 4) },
  temple: { w: 74, h: 52, svg: shade(38) + path('M-36-38L0-54l36 16z', PAGE) + rect(-36, -38, 72, 5, STEEL) + [-29, -14.5, 0, 14.5, 29].map((x) => rect(x - 3, -33, 6, 27, PAGE, 1)).join('') + rect(-36, -6, 72, 6, STEEL) },
  bridge: { w: 88, h: 36, svg: `<ellipse cx="0" cy="-3" rx="44" ry="7" fill="${WATER}"/>` + path('M-44-14q44-22 88 0v8h-8q-7-12-15-2h-8q-13-16-26 0h-8q-8-10-15 2h-8z', STEEL) + line('M-44-17q44-22 88 0', STEEL3, 2.4) + line('M-30-21v7M-10-26v7M10-26v7M30-21v7', STEEL3, 1.6) },
  fountain: { w: 56, h: 44, svg: shade(29) + `<ellipse cx="0" cy="-6" rx="27" ry="8" fill="${STEEL}"/><ellipse cx="0" cy="-8" rx="23" ry="6" fill="${WATER}"/>` + rect(-3, -28, 6, 22, STEEL2, 2) + `<ellipse cx="0" cy="-28" rx="12" ry="4" fill="${STEEL}"/>` + line('M0-30q-2-12-9-8M0-30q2-12 9-8M0-30v-12', 'var(--paint)', 1.6) },
  well: { w: 40, h: 44, svg: shade(20) + rect(-17, -18, 34, 18, STEEL, 3) + `<ellipse cx="0" cy="-18" rx="17" ry="5" fill="${STEEL3}"/>` + line('M-13-18v-18M13-18v-18', WOOD2, 2.6) + path('M-20-34L0-45l20 11z', BRICK) },
  fire: { w: 30, h: 32, svg: shade(15) + line('M-12-2l24-4M-12-6l24 4', WOOD2, 4) + path('M0-31q10 9 10 18 0 9-10 10-10-1-10-10 0-5 4-9 1 5 4 4-1-6 2-13z', GLOW) + path('M0-18q5 5 4 10-1 4-4 4-4 0-4-4 0-5 4-10z', PAGE) },
  tent: { w: 60, h: 42, svg: shade(31) + path('M-30 0L0-42 30 0z', SAND) + path('M-8 0L0-34 8 0z', WOOD2) },
  door: { w: 30, h: 50, svg: shade(14) + rect(-14, -49, 28, 49, WOOD2, 2) + rect(-11, -46, 22, 46, PAINT, 1) + disc(7, -22, 2, SAND) },
  gate: { w: 68, h: 46, svg: shade(34) + rect(-33, -44, 8, 44, BRICK, 1) + rect(25, -44, 8, 44, BRICK, 1) + line('M-24-32q24-16 48 0M-18-34v34M-9-38v38M0-40v40M9-38v38M18-34v34M-24-16h48', STEEL3, 2) },
  statue: { w: 34, h: 58, svg: shade(17) + rect(-14, -16, 28, 16, STEEL, 1) + rect(-10, -19, 20, 4, STEEL2, 1) + disc(0, -50, 6, STEEL2) + path('M-8-44h16l-2 14 3 11h-18l3-11z', STEEL2) },
  bell: { w: 34, h: 38, svg: shade(14) + path('M-14-8q4-4 4-14 0-12 10-12t10 12q0 10 4 14z', SAND) + disc(0, -5, 3.4, WOOD2) + rect(-2, -37, 4, 5, WOOD2) },
  clock: { w: 34, h: 36, svg: shade(14) + disc(0, -18, 17, STEEL3) + disc(0, -18, 13.5, PAGE) + line('M0-27v9l6 4', STEEL3, 2) },
  flag: { w: 36, h: 52, svg: shade(8) + line('M-10 0v-50', STEEL2, 2.6) + path('M-9-49q10-5 16 0t13 0v17q-7 5-13 0t-16 0z', RED) },
  ball: { w: 22, h: 20, svg: shade(9) + disc(0, -9, 9, 'var(--look, var(--brick))') + line('M-8-12q8 6 16 0M0-18v18', PAGE, 1.3) },
  coin: { w: 18, h: 16, svg: shade(7) + disc(0, -8, 7.5, SAND) + ring(0, -8, 4.5, WOOD2, 1.4) },
  key: { w: 26, h: 14, svg: shade(10) + ring(-7, -7, 4.5, SAND, 3) + line('M-2-7h13M7-7v4M11-7v3', SAND, 3) },
  stone: { w: 30, h: 20, svg: shade(15) + path('M-14-2l3-12 9-5 10 3 6 9-2 5z', STEEL) + path('M-2-19l10 3 6 9-2 5-8-2z', STEEL2) },
  sign: { w: 40, h: 44, svg: shade(10) + rect(-2, -24, 4, 24, WOOD2) + rect(-19, -43, 38, 21, WOOD, 2) + line('M-13-36h26M-13-30h18', WOOD2, 2) },
  mat: { w: 66, h: 18, svg: `<rect x="-32" y="-16" width="64" height="16" rx="3" fill="${PAINT}"/><rect x="-28" y="-12.5" width="56" height="9" rx="2" fill="none" stroke="${PAGE}" stroke-width="1.3" opacity="0.7"/>` },
  speaker: { w: 30, h: 52, svg: shade(15) + rect(-14, -51, 28, 51, STEEL3, 3) + disc(0, -37, 7, STEEL2) + disc(0, -37, 3, STEEL) + disc(0, -16, 10, STEEL2) + disc(0, -16, 4, STEEL) },
  pew: { w: 56, h: 26, svg: shade(28) + rect(-26, -25, 52, 4, WOOD, 1) + rect(-26, -19, 52, 4, WOOD, 1) + rect(-26, -11, 52, 4, WOOD, 1) + rect(-21, -25, 3, 25, STEEL3) + rect(18, -25, 3, 25, STEEL3) },
  apple: { w: 18, h: 18, svg: shade(7) + disc(-3, -8, 6.5, RED) + disc(3, -8, 6.5, RED) + line('M0-14q1-4 4-4', WOOD2, 1.6) },
  shirt: { w: 30, h: 24, svg: shade(13) + path('M-6-23q6 4 12 0l9 6-4 7-4-2v11h-14v-11l-4 2-4-7z', PAINT) },
};

/** Words that mean a shape: of names and types, whole words in the singular. */
const WORDS: Record<string, string> = {
  workbench: 'bench', worktable: 'bench', anvil: 'bench', truck: 'vehicle', trucks: 'tools', wheel: 'wheels', qa: 'desklamp', quality: 'desklamp', inspection: 'desklamp', pack: 'packing', parcel: 'box', package: 'box',
  computer: 'screen', terminal: 'screen', monitor: 'screen', tv: 'screen', television: 'screen', laptop: 'screen', blackboard: 'screen', whiteboard: 'screen', notice: 'sign', noticeboard: 'sign', billboard: 'sign', poster: 'sign', map: 'paper',
  bookshelf: 'shelf', bookcase: 'shelf', rack: 'shelf', archive: 'shelf', stacks: 'shelf', cabinet: 'cupboard', wardrobe: 'cupboard', locker: 'cupboard', closet: 'cupboard', fridge: 'cupboard', chest: 'box', vault: 'safe', till: 'safe', register: 'safe',
  bar: 'counter', reception: 'counter', kiosk: 'stall', stand: 'stall', booth: 'stall', stove: 'oven', kitchen: 'oven', forge: 'oven', kiln: 'oven', bakery: 'oven', sofa: 'seats', couch: 'seats', seat: 'seats', stool: 'chair', throne: 'chair', armchair: 'chair',
  barrel: 'basket', sack: 'basket', cart: 'vehicle', wagon: 'vehicle', car: 'vehicle', van: 'vehicle', bus: 'vehicle', train: 'vehicle', taxi: 'vehicle', bike: 'bicycle', ship: 'boat', ferry: 'boat', raft: 'boat', harbour: 'boat',
  trash: 'bin', waste: 'bin', rubbish: 'bin', defect: 'bin', veneer: 'sheets', sheet: 'sheets', plank: 'sheets', timber: 'sheets', cloth: 'sheets', deck: 'board', plate: 'coin', novel: 'book', diary: 'book', journal: 'book', ledger: 'book', magazine: 'book', document: 'paper', note: 'paper', file: 'paper', draft: 'paper', form: 'paper', report: 'paper', invoice: 'paper', contract: 'paper', page: 'paper', receipt: 'paper', ticket: 'paper', verdict: 'paper', case: 'paper', plea: 'paper', poem: 'paper', mail: 'letter', envelope: 'letter', message: 'letter', postcard: 'letter', memo: 'letter', parcelbox: 'box',
  vending: 'dispenser', coffeemachine: 'dispenser', engine: 'machine', generator: 'machine', printer: 'machine', server: 'machine', robot: 'machine', pump: 'machine', mug: 'cup', glass: 'cup', tea: 'cup', coffee: 'cup', drink: 'cup', teapot: 'cup', wine: 'bottle', potion: 'bottle', medicine: 'bottle', flask: 'bottle', vial: 'bottle',
  piano: 'instrument', organ: 'instrument', harpsichord: 'instrument', guitar: 'instrument', violin: 'instrument', drum: 'instrument', stage: 'instrument', jukebox: 'speaker', radio: 'speaker', music: 'speaker', dj: 'speaker', loudspeaker: 'speaker',
  flower: 'flowers', rose: 'flowers', flowerbed: 'flowers', garden: 'flowers', crop: 'plant', herb: 'plant', seedling: 'plant', shrub: 'bush', hedge: 'bush', oak: 'tree', pine: 'tree', forest: 'tree', wood: 'tree', orchard: 'tree',
  home: 'house', cottage: 'house', hut: 'house', cabin: 'house', farm: 'house', apartment: 'block', flat: 'block', building: 'block', hotel: 'block', store: 'shop', boutique: 'shop', pharmacy: 'shop', market: 'stall', lighthouse: 'tower', castle: 'tower', church: 'temple', chapel: 'temple', bank: 'temple', museum: 'temple', court: 'temple', altar: 'temple', spring: 'fountain', hearth: 'fire', fireplace: 'fire', campfire: 'fire', bonfire: 'fire', camp: 'tent', entrance: 'door', exit: 'door', portal: 'gate', fence: 'gate', barrier: 'gate', monument: 'statue', sculpture: 'statue', gong: 'bell', alarm: 'bell', timer: 'clock', watch: 'clock', hourglass: 'clock', banner: 'flag', toy: 'ball', gold: 'coin', money: 'coin', cash: 'coin', gem: 'coin', token: 'coin', lock: 'key', rock: 'stone', boulder: 'stone', ore: 'stone', tatami: 'mat', rug: 'mat', carpet: 'mat', fruit: 'apple', food: 'apple', meal: 'apple', bread: 'apple', dress: 'shirt', coat: 'shirt', uniform: 'shirt', hammer: 'tools', wrench: 'tools', tool: 'tools', toolbox: 'tools', lantern: 'lamp', light: 'lamp', candle: 'lamp', streetlamp: 'lamp', chalkboard: 'screen', dashboard: 'screen', display: 'screen', bedroom: 'bed', bunk: 'bed', cot: 'bed', stretcher: 'bed', mattress: 'bed', office: 'desk', worker: 'desk', lectern: 'desk', podium: 'desk', pulpit: 'desk', patient: 'bed',
};

/** The words of a name: `truck-bench_2` as truck and bench. */
export const wordsOf = (name: string): string[] => name.toLowerCase().split(/[^a-z]+/).filter((word) => word.length > 1);

const singular = (word: string): string => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word);

/** The shape that a name means; the last word counts most: a truck bench is a bench unless its first word has a shape of its own work. */
export function shapeOfName(name: string): string | null {
  for (const word of wordsOf(name).toReversed()) {
    for (const form of [word, singular(word)]) {
      if (form in SHAPES) return form;
      const meant = WORDS[form];
      if (meant) return meant;
    }
  }
  return null;
}

export const isShape = (name: string): boolean => name in SHAPES;
export const shapeNames = (): string[] => Object.keys(SHAPES);

/** What is known of a thing that is to be drawn. */
export interface Drawn { name: string; type: string; does?: string | null | undefined; look?: Look | null | undefined }

/** A thing's shape: what its source says of it, else what its work means, else what is said of its type, else what its type or its name means; null: the slab. */
export function shapeOf(thing: Drawn, looks: Record<string, Look> = {}): string | null {
  const [own, ofType] = [thing.look?.icon ?? null, looks[thing.type]?.icon ?? null];
  if (own !== null && isShape(own)) return own;
  const work = thing.does ? (shapeOfName(thing.does) ?? shapeOfName(thing.name)) : null;
  if (work !== null) return work;
  if (ofType !== null && isShape(ofType)) return ofType;
  return shapeOfName(thing.type) ?? shapeOfName(thing.name) ?? (thing.does ? 'bench' : null);
}

/** An icon of one's own: a path in a box of 18 by 18, which a source wrote. */
export function ownPath(thing: Drawn, looks: Record<string, Look> = {}): string | null {
  const said = thing.look?.icon ?? looks[thing.type]?.icon ?? null;
  return said !== null && /^[MmLlHhVvCcSsQqTtAaZz0-9 ,.+-]{4,400}$/.test(said) && /^[Mm]/.test(said) ? said : null;
}

/** Colours of the map by name; others are `#rrggbb`. */
const COLOURS = new Set(['wood', 'steel', 'leaf', 'water', 'brick', 'slate', 'sand', 'paint', 'red', 'cloth', 'glass', 'page']);

/** The colour that a source chose, as a value of CSS; null where it chose none that is known. */
export function colourOf(thing: Drawn, looks: Record<string, Look> = {}): string | null {
  const said = thing.look?.colour ?? looks[thing.type]?.colour ?? null;
  if (said === null) return null;
  if (COLOURS.has(said)) return `var(--${said})`;
  return /^#[0-9a-f]{6}$/i.test(said) || /^[a-z]{3,20}$/.test(said) ? said : null;
}

/** The drawing of a shape. */
export const drawing = (shape: string): Shape => SHAPES[shape] ?? SLAB;

/** What no word fits: a rounded slab, on which stands its first letter. */
export const SLAB: Shape = { w: 46, h: 34, svg: shade(23) + rect(-22, -32, 44, 32, 'var(--look, var(--steel-2))', 7) + rect(-22, -32, 44, 25, 'var(--look, var(--steel))', 7) };
