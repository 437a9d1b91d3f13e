// The map: the same world is always laid the same way, nobody stands beside their place, nothing that is said covers a face.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { broken, placed, type Said } from '../src/lib/map/bubbles.ts';
import { binned, countAt, shadeOf, SHADES, sideAt } from '../src/lib/map/cells.ts';
import { captionOf, cutTo, readable, titled } from '../src/lib/map/caption.ts';
import { decorOf, placeWords } from '../src/lib/map/decor.ts';
import { doorOf, freeMiddle, type Door } from '../src/lib/map/doors.ts';
import { fitted } from '../src/lib/map/fit.ts';
import { placesOf, planOf as planned, Seating, type Asked, type PlacePlan } from '../src/lib/map/plan.ts';
import { colourOf, drawing, ownPath, shapeNames, shapeOf } from '../src/lib/map/shapes.ts';
import type { Box } from '../src/lib/map/box.ts';
import { sharesOf, smallIn, wornBy } from '../src/lib/map/small.ts';
import { Throng, type Columns } from '../src/lib/map/throng.ts';
import type { Glance, MatterGlance, Report, Space } from '../src/lib/wire.ts';

/** Numbers that fall anyhow, always the same. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const overlaps = (a: Box, b: Box): boolean => a.x < b.x + b.w - 0.01 && b.x < a.x + a.w - 0.01 && a.y < b.y + b.h - 0.01 && b.y < a.y + a.h - 0.01;
const holds = (outer: Box, inner: Box): boolean => inner.x >= outer.x - 0.01 && inner.y >= outer.y - 0.01 && inner.x + inner.w <= outer.x + outer.w + 0.01 && inner.y + inner.h <= outer.y + outer.h + 0.01;

const being = (name: string, coords?: [number, number]): Glance => ({ name, address: `@${name}`, cognition: 'script', paused: false, thinks: false, qualities: {}, wearing: ['worker'], ...(coords ? { coords: { x: coords[0], y: coords[1], z: 0 } } : {}) });
const thing = (address: string, type: string, coords?: [number, number]): MatterGlance => ({ address, name: address.split('/').at(-1) ?? '', type, holds: 0, held: [], ...(coords ? { coords: { x: coords[0], y: coords[1], z: 0 } } : {}) });
const TYPES = ['factory', 'line', 'office', 'cafe', 'town', 'yard', 'room', 'dance-floor', 'nonsense', 'library'];
function world(roll: (below: number) => number, address = '/', depth = 0): Space {
  const beings = Array.from({ length: roll(depth === 0 ? 2 : 9) }, (_, at) => being(`${address.replaceAll('/', '-')}${at}`));
  const size = depth > 0 && roll(4) === 0 ? { x: 1 + roll(14), y: 1 + roll(9), z: 1 } : null;
  return {
    address, name: address === '/' ? 'world' : (address.split('/').at(-1) ?? ''), type: TYPES[roll(TYPES.length)] ?? 'room', count: beings.length, size,
    beings: beings.map((each) => (size && roll(3) > 0 ? { ...each, coords: { x: roll(size.x), y: roll(size.y), z: 0 } } : each)),
    matter: Array.from({ length: roll(5) }, (_, at) => thing(`${address === '/' ? '' : address}/thing-${at}`, ['station', 'book', 'gizmo'][roll(3)] ?? 'book', size && roll(2) ? [roll(size.x), roll(size.y)] : undefined)),
    spaces: depth < 3 ? Array.from({ length: roll(depth === 0 ? 7 : 3) }, (_, at) => world(roll, `${address === '/' ? '' : address}/place-${depth}-${at}`, depth + 1)) : [],
  };
}
const asked = (seating = new Seating()) => ({ looks: {}, seating });
/** A place as a server tells it: its own floor above, and the places in it beside each other below. */
function grounded(space: Space, whole = [0, 0, 6400, 4000]): Space {
  const [x = 0, y = 0, w = 0, h = 0] = whole;
  const [left, top, wide, high] = [x + 19, y + 37, w - 38, h - 56];
  const own = space.spaces.length === 0 ? high : Math.round(high * 0.4);
  const each = (wide + 12) / Math.max(1, space.spaces.length);
  const spaces = space.spaces.map((inner, at) => grounded(inner, [Math.round(left + at * each), top + own + 12, Math.round(each) - 12, high - own - 12]));
  return { ...space, ground: { whole, floor: [left, top, wide, own] }, spaces };
}
const planOf = (space: Space, how: Asked): PlacePlan => planned(grounded(space), how);

test('every place lies in the one around it, and everybody stands in theirs', () => {
  for (let seed = 1; seed < 150; seed += 1) {
    const root = world(dice(seed));
    const plan = planOf(root, asked());
    const check = (place: PlacePlan): void => {
      place.inner.forEach((inner, at) => {
        assert.ok(holds(place.box, inner.box), `seed ${seed}: ${inner.space.address} lies beside ${place.space.address}`);
        place.inner.slice(at + 1).forEach((other) => assert.ok(!overlaps(inner.box, other.box)));
        check(inner);
      });
      for (const [name, spot] of place.spots) assert.ok(holds(place.box, { x: spot.x, y: spot.y, w: 0, h: 0 }), `seed ${seed}: ${name} stands beside ${place.space.address}`);
      for (const prop of place.props) assert.ok(holds(place.box, { x: prop.x, y: prop.y, w: 0, h: 0 }), `seed ${seed}: ${prop.key} stands beside ${place.space.address}`);
    };
    check(plan);
    assert.deepEqual(planOf(root, asked()), planOf(root, asked()));
  }
});

test('nobody moves to another seat when somebody comes or goes', () => {
  const seating = new Seating();
  const room = (names: string[]): Space => ({ address: '/', name: 'cafe', type: 'cafe', count: names.length, beings: names.map((name) => being(name)), matter: [], spaces: [] });
  const spotsOf = (names: string[]) => placesOf(planOf(room(names), asked(seating))).flatMap(({ spots }) => [...spots]);
  const before = new Map(spotsOf(['ada', 'bruno', 'chidi', 'dana']));
  const after = new Map(spotsOf(['ada', 'chidi', 'dana']));
  for (const name of ['ada', 'chidi', 'dana']) assert.deepEqual(after.get(name), before.get(name));
  const again = new Map(spotsOf(['ada', 'chidi', 'dana', 'zoe']));
  assert.deepEqual(again.get('zoe'), before.get('bruno'), 'whoever comes takes the first free seat');
});

/** The doors of a plan by address, each with its place and those around it, the nearest first. */
function doorsOf(place: PlacePlan, around: PlacePlan[] = []): { place: PlacePlan; around: PlacePlan[]; door: Door }[] {
  const door = around[0] ? doorOf(place, around[0]) : null;
  return [...(door ? [{ place, around, door }] : []), ...place.inner.flatMap((inner) => doorsOf(inner, [place, ...around]))];
}
/** The room that the title of a place may take up, at its largest letters. */
const titleOf = ({ box, decor, inner }: PlacePlan): Box => ({ x: box.x + 14, y: box.y + (decor.edge === 'wall' && inner.length > 0 ? 12 : 18), w: box.w - 24, h: 18 });
const wallsOf = ({ box: { x, y, w, h } }: PlacePlan): Box[] => [{ x, y, w, h: 5 }, { x, y: y + h - 5, w, h: 5 }, { x, y, w: 5, h }, { x: x + w - 5, y, w: 5, h }];
const touches = (box: Box, { x, y, w, h }: Box): boolean => [box.x - x, box.y - y, x + w - box.x - box.w, y + h - box.y - box.h].some((away) => Math.abs(away) < 0.01);
/** Some of those who were there have gone, and nobody else has come. */
const thinned = (space: Space, roll: (below: number) => number): Space => ({ ...space, beings: space.beings.filter(() => roll(3) > 0), spaces: space.spaces.map((inner) => thinned(inner, roll)) });

test('each place with a wall has a door in it that covers no other wall and no title, and stays while people come and go', () => {
  let seen = 0;
  for (let seed = 1; seed < 150; seed += 1) {
    const [roll, seating] = [dice(seed), new Seating()];
    const root = world(roll);
    const plan = planOf(root, asked(seating));
    const [doors, all] = [doorsOf(plan), placesOf(plan)];
    for (const { place, around, door } of doors) {
      const where = `seed ${seed}: the door of ${place.space.address}`;
      assert.ok(holds(place.box, door.box) && touches(door.box, place.box), `${where} lies in its own wall`);
      assert.ok(!overlaps(door.box, titleOf(place)), `${where} covers its title`);
      for (const other of all.filter((each) => each !== place && !around.includes(each))) assert.ok(!overlaps(door.box, other.box), `${where} reaches into ${other.space.address}`);
      for (const other of around) for (const part of [titleOf(other), ...(other.depth === 0 ? [] : wallsOf(other))]) assert.ok(!overlaps(door.box, part), `${where} covers a wall or the title of ${other.space.address}`);
    }
    assert.equal(doors.length, all.filter(({ depth, decor }) => depth > 0 && decor.edge !== 'open').length, `seed ${seed}: a place has no door`);
    const drawn = (plan: PlacePlan) => doorsOf(plan).map(({ place, door }) => [place.space.address, door]);
    assert.deepEqual(drawn(planOf(thinned(root, roll), asked(seating))), drawn(plan), `seed ${seed}: a door has moved`);
    assert.deepEqual(drawn(planOf(root, asked(seating))), drawn(plan), `seed ${seed}: a door has moved`);
    seen += doors.length;
  }
  assert.ok(seen > 500, `${seen} doors were looked at`);
});

test('a door faces the middle of what is free around its place', () => {
  const floor = { x: 0, y: 0, w: 400, h: 300 };
  const at = (x: number, y: number): PlacePlan => ({ ...planOf(place({ type: 'office' }), asked()), box: { x, y, w: 120, h: 120 } });
  const [left, right, below] = [at(0, 90), at(280, 90), at(140, 180)];
  const outer = { floor, inner: [left, right, below] };
  assert.deepEqual(freeMiddle(outer), { x: 200, y: 45 }, 'above the places there is room');
  assert.deepEqual(freeMiddle({ floor, inner: [at(0, 0)] }), { x: 200, y: 150 });
  const inRow = { floor, inner: [at(0, 0), left, right, below] };
  assert.deepEqual([left, right, below].map((each) => doorOf(each, inRow)?.turn), [90, -90, 0]);
  assert.deepEqual(doorOf(left, inRow)?.box, { x: 109, y: 135, w: 11, h: 30 }, 'and lies as near to it as its wall does');
});

test('what one knows by its name is drawn as that', () => {
  assert.ok(shapeNames().length >= 40);
  const shapes: [string, string, string | null, string | null][] = [
    ['press', 'station', 'press', 'press'], ['truck-bench', 'station', 'trucks', 'tools'], ['qa', 'station', 'qa', 'desklamp'], ['veneer-00012', 'veneer', null, 'sheets'], ['board-00684', 'board', null, 'board'],
    ['trains', 'book', null, 'book'], ['piano', 'instrument', null, 'instrument'], ['old oak trees', 'thing', null, 'tree'], ['qqq', 'zzz', null, null], ['zzz', 'station', 'polishing', 'bench'], ['espresso', 'cup', null, 'cup'], ['defect-bin', 'defect-bin', null, 'bin'],
  ];
  for (const [name, type, does, shape] of shapes) assert.equal(shapeOf({ name, type, does }), shape, `${name}, ${type}, ${does}`);
  assert.equal(shapeOf({ name: 'trains', type: 'book', look: { icon: 'vehicle' } }), 'vehicle');
  assert.equal(shapeOf({ name: 'trains', type: 'book' }, { book: { icon: 'paper' } }), 'paper');
  assert.ok(drawing('no such shape').svg.length > 0);
});

test('what a source says of a look is drawn only where it is a shape, a path or a colour', () => {
  const look = (icon: string, colour?: string) => ({ name: 'x', type: 'y', look: { icon, ...(colour ? { colour } : {}) } });
  assert.equal(ownPath(look('M3 3h12v12H3z')), 'M3 3h12v12H3z');
  for (const bad of ['javascript:alert(1)', 'M3 3"><script>', 'url(x)', 'M', 'L3 3h12', 'http://x/y.svg']) assert.equal(ownPath(look(bad)), null, bad);
  assert.equal(colourOf(look('box', 'steel')), 'var(--steel)');
  assert.equal(colourOf(look('box', '#a0b1c2')), '#a0b1c2');
  for (const bad of ['url(x)', 'red;background:url(x)', '#12', 'var(--x)']) assert.equal(colourOf(look('box', bad)), null, bad);
});

test('a place is what its type says', () => {
  const of = (type: string, name = 'somewhere') => decorOf({ type, name });
  assert.ok(of('cafe').back?.includes('counter') && of('cafe').front?.includes('coffee'));
  assert.deepEqual(of('break-room').front, ['table'], 'a break room is for breaks before it is a room');
  assert.equal(of('dance-floor').pattern, 'boards');
  assert.equal(of('yard').edge, 'fence');
  assert.equal(of('nonsense', 'library').back?.[0], 'shelf', 'where the type says nothing the name does');
  const all = new Set(['factory', 'court', 'library', 'dance-floor', 'dojo', 'village', 'tower', 'salon', 'town', 'shop', 'cafe'].map((type) => JSON.stringify(of(type))));
  assert.equal(all.size, 11, 'places that differ look different');
});

test('what is said covers no face and nothing else that is said', () => {
  for (let seed = 1; seed < 200; seed += 1) {
    const roll = dice(seed);
    const spots = Array.from({ length: 1 + roll(30) }, () => ({ x: 30 + roll(900), y: 60 + roll(500), size: 44 }));
    const faces = spots.map(({ x, y, size }) => ({ x: x - size / 2, y: y - size / 2, w: size, h: size }));
    const said: Said[] = spots.slice(0, 10).map((spot, at) => ({ ...spot, key: String(at), to: roll(2) ? 'Eli' : '', text: 'word '.repeat(1 + roll(30)) }));
    const bubbles = placed(said, faces, { x: 0, y: 0, w: 960, h: 620 }, 1 + roll(3) / 5);
    assert.equal(new Set(bubbles.map(({ key }) => key)).size, bubbles.length);
    bubbles.forEach((bubble, at) => {
      assert.ok(!faces.some((face) => overlaps(face, bubble)), `seed ${seed}: a bubble covers a face`);
      assert.ok(!bubbles.slice(at + 1).some((other) => overlaps(bubble, other)), `seed ${seed}: two bubbles cover each other`);
      assert.ok(bubble.lines.length <= 3);
    });
  }
  assert.equal(placed([{ key: 'a', text: 'hi', to: '', x: 100, y: 100, size: 44 }], [], { x: 0, y: 0, w: 300, h: 300 }, 1).length, 1);
  assert.ok(broken('a'.repeat(200)).length <= 3 && broken('a'.repeat(200)).at(-1)?.endsWith('…'));
});

test('a name that is too long ends with an ellipsis, and never inside of a sign', () => {
  assert.deepEqual([cutTo('Ada', 3), cutTo('Rosalind', 5), cutTo('A long title', 3), cutTo('😀😀😀', 2), cutTo('Ada', 0)], ['Ada', 'Rosa…', 'A…', '😀…', 'A…']);
});

test('a caption has four words at most and ends with none that leads on', () => {
  const report = (told: string, more: Partial<Report> = {}): Report => ({ verb: 'do', action: 'x:y', closing: 'act', told: [{ text: told }], deed: '', stack: [], ...more }) as unknown as Report;
  assert.equal(captionOf(report('shaped board 842')), 'shaped board 842');
  assert.equal(captionOf(report('put trucks under board 842')), 'put trucks');
  assert.equal(captionOf(report('pressed a deck')), 'pressed a deck');
  assert.equal(captionOf(report('x', { closing: 'see' })), '');
  assert.equal(captionOf(report('x', { closing: 'refused' })), 'was refused');
  assert.equal(readable('/factory/line/board-00684'), 'board 684');
  assert.equal(titled('member-12'), 'Member 12');
});

test('a crowd stands still: whoever stays keeps the point while others come, go and move', () => {
  const root: Space = { address: '/', name: 'town', type: 'town', beings: [], matter: [], spaces: ['/market', '/harbour'].map((address) => ({ address, name: address.slice(1), type: 'square', count: 400, beings: [], matter: [], spaces: [] })) };
  const plan = planOf(root, asked());
  const columns = (places: number[]): Columns => ({
    ids: places.map((_, at) => at + 7), place: places, xy: new Int32Array(2 * places.length).fill(-1), places: [{ address: '/market' }, { address: '/harbour' }],
  });
  const throng = new Throng();
  const places = Array.from({ length: 800 }, (_, at) => at % 2);
  const before = throng.points(columns(places), plan);
  const moved = places.map((place, at) => (at % 50 === 0 ? 1 - place : place));
  const after = throng.points(columns(moved), plan);
  places.forEach((_, at) => {
    if (at % 50 === 0) assert.notEqual(after.x[at], before.x[at]);
    else assert.deepEqual([after.x[at], after.y[at]], [before.x[at], before.y[at]]);
  });
  const at = new Map(placesOf(plan).map((place) => [place.space.address, place.floor]));
  moved.forEach((place, each) => {
    const floor = at.get(['/market', '/harbour'][place] ?? '');
    assert.ok(floor && holds(floor, { x: after.x[each] ?? 0, y: after.y[each] ?? 0, w: 0, h: 0 }), `${each} stands in its place`);
  });
  assert.equal(new Set(moved.map((_, each) => `${after.x[each]},${after.y[each]}`)).size, 800, 'nobody stands on another');
});

test('a place is seen whole or from its beginning, and nothing beside the world where there is more of it', () => {
  for (let seed = 1; seed < 300; seed += 1) {
    const roll = dice(seed);
    const whole = { x: 0, y: 0, w: 300 + roll(2000), h: 200 + roll(1400) };
    const box = { x: roll(100), y: roll(80), w: 40 + roll(whole.w - 140), h: 40 + roll(whole.h - 120) };
    const room = { x: 0, y: 44, w: 340 + roll(1200), h: 300 + roll(500) };
    const least = roll(2) * 0.8;
    const { x, y, k } = fitted(box, whole, room, 20, least);
    const on = ({ x: left, y: top, w, h }: Box): Box => ({ x: x + left * k, y: y + top * k, w: w * k, h: h * k });
    const [seen, all] = [on(box), on(whole)];
    assert.ok(seen.y >= room.y - 0.01 && seen.y + seen.h <= room.y + room.h + 0.01 && seen.x >= -0.01, `seed ${seed}: a place is cut`);
    if (least === 0) assert.ok(holds(room, seen), `seed ${seed}: a place is not seen whole`);
    else assert.ok(k >= 0.8 || seen.h > room.h - 41, `seed ${seed}: a place is drawn too small`);
    for (const [length, start, at, size] of [[room.w, room.x, all.x, all.w], [room.h, room.y, all.y, all.h]] as const) {
      if (size >= length) assert.ok(at <= start + 10.01 && at + size >= start + length - 10.01, `seed ${seed}: there is nothing where the world could be`);
    }
  }
});

test('very many are counted by squares: nobody is lost, and neither their order nor who else is there shifts a square', () => {
  for (let seed = 1; seed < 60; seed += 1) {
    const roll = dice(seed);
    const many = 1 + roll(4000);
    const points = { x: Float32Array.from({ length: many }, () => (roll(9) === 0 ? NaN : roll(90_000) / 50 - 300)), y: Float32Array.from({ length: many }, () => roll(60_000) / 50 - 200) };
    const side = sideAt(0.05 + roll(300) / 100);
    const cells = binned(points, side);
    const stand = Array.from(points.x).filter((x) => !Number.isNaN(x)).length;
    assert.equal(cells.counts.reduce((sum, count) => sum + count, 0), stand, `seed ${seed}: all are counted once`);
    assert.equal(Math.max(0, ...cells.counts), cells.most);
    const order = Array.from(points.x, (_, at) => at).toSorted((a, b) => ((a * 7919) % many) - ((b * 7919) % many));
    const again = binned({ x: Float32Array.from(order, (at) => points.x[at] ?? NaN), y: Float32Array.from(order, (at) => points.y[at] ?? NaN) }, side);
    assert.deepEqual(again, cells, `seed ${seed}: another order has other squares`);
    const fewer = binned({ x: points.x.slice(0, Math.ceil(many / 2)), y: points.y.slice(0, Math.ceil(many / 2)) }, side);
    for (let at = 0; at < many; at += 1) {
      const [x, y] = [points.x[at] ?? NaN, points.y[at] ?? NaN];
      if (Number.isNaN(x)) continue;
      assert.ok(countAt(cells, x, y) >= 1 && countAt(fewer, x, y) <= countAt(cells, x, y), `seed ${seed}: a square has shifted`);
      if (at < many / 2) assert.ok(countAt(fewer, x, y) >= 1);
    }
  }
  const nobody = binned({ x: new Float32Array(3).fill(NaN), y: new Float32Array(3) }, 24);
  assert.deepEqual([nobody.counts.length, nobody.most, countAt(nobody, 0, 0)], [0, 0, 0]);
});

test('squares are about 24 pixels wide from how near one looks, and the darker the more stand in them', () => {
  for (let k = 0.02; k < 6; k *= 1.03) assert.ok(sideAt(k) * k > 20 && sideAt(k) * k < 29, `${sideAt(k) * k} pixels at ${k}`);
  assert.equal(sideAt(1), sideAt(1.1), 'who looks from a little nearer sees the same squares');
  const shades = Array.from({ length: 400 }, (_, at) => shadeOf(at + 1, 400));
  assert.deepEqual(shades, shades.toSorted((a, b) => a - b));
  assert.deepEqual([shades[0], shades.at(-1), new Set(shades).size], [0, SHADES - 1, SHADES]);
});

test('the shapes and the kinds of places that the page knows are documented', () => {
  const docs = readFileSync('../../../docs/WORLDS.md', 'utf8');
  for (const word of [...shapeNames(), ...placeWords()]) assert.ok(docs.includes(`\`${word}\``), `docs/WORLDS.md lists ${word}`);
});

const place = (more: Partial<Space>): Space => ({ address: '/', name: 'yard', type: 'yard', count: 0, beings: [], matter: [], spaces: [], ...more });

test('a place that is too full keeps its walls, and its faces shrink', () => {
  const drawn = (many: number) => {
    const full = { ...place({ beings: Array.from({ length: many }, (_, at) => being(`b${at}`)) }), ground: { whole: [0, 0, 300, 200], floor: [19, 37, 262, 144] } };
    const { box, spots } = planned(full, asked());
    for (const [name, { x, y }] of spots) assert.ok(holds(box, { x, y, w: 0, h: 0 }), `${name} of ${many} stands in it`);
    return { box, size: Math.min(...[...spots.values()].map(({ size }) => size)) };
  };
  const [few, many] = [drawn(3), drawn(300)];
  assert.deepEqual(many.box, few.box);
  assert.ok(many.size < few.size / 2, `${many.size} beside ${few.size}`);
});

test('a place without a ground is not drawn, nor those in it', () => {
  const bare = { ...place({ beings: [being('ada')] }), address: '/.hidden' };
  const root = { ...place({ spaces: [bare] }), ground: { whole: [0, 0, 300, 200], floor: [10, 10, 280, 180] } };
  assert.deepEqual(placesOf(planned(root, asked())).map(({ space }) => space.address), ['/']);
});

test('much of one type is one heap with its number, unless it stands in rows', () => {
  const crates = Array.from({ length: 9 }, (_, at) => thing(`/crate-${at}`, 'crate'));
  const propsOf = (matter: MatterGlance[], looks = {}) => planOf(place({ matter }), { ...asked(), looks }).props.filter(({ thing }) => thing);
  assert.deepEqual(propsOf(crates).map(({ heap }) => heap), [9]);
  assert.equal(propsOf(crates.slice(1)).length, 8, 'eight are drawn one by one');
  assert.equal(propsOf(crates, { crate: { rows: true } }).length, 9);
  assert.equal(propsOf(crates, { crate: { hidden: true } }).length, 0, 'what is hidden is not drawn');
  assert.equal(propsOf([{ ...thing('/box', 'box'), look: { hidden: true } }]).length, 0);
});

test('those who keep a world running stand beside its places, and in a world without places they are drawn', () => {
  const yard = { ...place({ beings: [being('ada')] }), address: '/yard' };
  const root = place({ beings: [being('operator')], spaces: [yard] });
  assert.deepEqual(placesOf(planOf(root, asked())).flatMap(({ spots }) => [...spots.keys()]), ['ada']);
  assert.deepEqual([...planOf(place({ beings: [being('operator')] }), asked()).spots.keys()], ['operator']);
});

test('those in one cell stand beside each other', () => {
  const floor = place({ type: 'floor', size: { x: 5, y: 4, z: 1 }, beings: ['ada', 'bo', 'cem'].map((name) => being(name, [2, 1])) });
  const spots = [...planOf(floor, asked()).spots.values()];
  assert.equal(new Set(spots.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)).size, 3);
});

test('of much that is said the newest hangs over the map', () => {
  const said = Array.from({ length: 8 }, (_, at) => ({ key: String(at), text: 'word '.repeat(12), to: '', x: 150, y: 150, size: 44 }));
  const bubbles = placed(said, [], { x: 0, y: 0, w: 300, h: 300 }, 1);
  assert.ok(bubbles.find(({ key }) => key === '7')?.lines.length, 'the newest is not folded');
  assert.ok(bubbles.length < 8 || bubbles.some(({ lines }) => lines.length === 0));
});

test('a seat that was left is free again', () => {
  const root = place({ spaces: ['/market', '/harbour'].map((address) => ({ ...place({ count: 60 }), address, name: address.slice(1) })) });
  const plan = planOf(root, asked());
  const throng = new Throng();
  const at = (places: number[]): Columns => ({ ids: places.map((_, each) => each + 1), place: places, xy: new Int32Array(2 * places.length).fill(-1), places: [{ address: '/market' }, { address: '/harbour' }] });
  let points = throng.points(at(Array.from({ length: 60 }, (_, each) => each % 2)), plan);
  for (let turn = 0; turn < 40; turn += 1) points = throng.points(at(Array.from({ length: 60 }, (_, each) => (each + turn) % 2)), plan);
  const least = Math.min(...Array.from(points.x, (x, one) => Math.min(...Array.from(points.x, (other, each) => (each === one ? Infinity : Math.hypot(x - other, (points.y[one] ?? 0) - (points.y[each] ?? 0)))))));
  assert.ok(least > 0.8 * (points.size[0] ?? 0), `two stand ${least} apart after all that walking`);
});

test('a place that is drawn small shows how many are in it, and what they wear', () => {
  const house = (name: string, wearing: string[]): Space => ({ ...place({ beings: wearing.map((role, at) => ({ ...being(`${name}${at}`), wearing: [role] })) }), address: `/${name}`, name, ground: { whole: [10, 10, 80, 60], floor: [12, 12, 76, 56] } });
  const root = { ...place({ spaces: [house('mill', ['worker', 'worker', 'guest'])] }), ground: { whole: [0, 0, 300, 200], floor: [10, 10, 280, 0] } };
  const plan = planned(root, asked());
  assert.deepEqual([smallIn(plan, 1), smallIn(plan, 2)], [['/mill'], []]);
  const worn = wornBy(plan);
  assert.deepEqual([...worn], [['worker', 2], ['guest', 1]]);
  assert.deepEqual(sharesOf(worn, 90), [{ role: 'worker', from: 0, length: 60 }, { role: 'guest', from: 60, length: 30 }]);
});
