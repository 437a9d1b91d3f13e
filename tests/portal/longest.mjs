// A small world in which every name and title is as long as names may be: what `fits.mjs` looks at.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A text of sixty letters: the beginning is its own, the rest is one word, or several. */
const one = (own) => `${own}${'abcdefghijklmnopqrstuvwxyz'.repeat(3)}`.slice(0, 60);
const several = (own) => `${own}-of-those-whose-names-are-as-long-as-any-name-may-be-anywhere`.slice(0, 60).replace(/-$/, 's');
const title = (own) => `${own} of those whose names are as long as any name may ever be 🛹`.slice(0, 60);
const word = (own) => `${own}Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenträger`.slice(0, 60);

/** Names of other alphabets, 64 bytes long. */
export const ARABIC = 'مدينةالأسماءالطويلةجداجداجداجدا';
export const HEBREW = 'הכיכרשלבעליהשמותהארוכיםביותרבעו';
export const names = {
  world: several('world'), hall: several('hall'), square: one('square'), room: several('room'), thing: one('thing'), box: several('box'),
  walker: several('walker'), talker: one('talker'), role: several('role'), other: one('role'), signal: one('signal'), measure: several('measure'), deed: several('deed'),
};

/** The world's own signals begin with its name. */
const signal = `${names.world}.${names.signal}`;

const being = (name, home, coords, role, every) => `
[[being]]
name = "${name}"
home = "${home}"
${coords ? `coords = ${coords}` : ''}
role = "${role}"
flow = [
  { when = { "world.${signal}" = { gte = 5 } }, role = "${names.other}" },
  { role = "${role}" },
]
quality.persona.about = "${title(name)}"

[[being.schedule]]
name = "${one('schedule')}"
every = "${every}"
`;

const role = (name, think) => `
[[role]]
name = "${name}"
description = "${title('A role')}, and ${word('an')}"
canSee = ["**"]
canDo = ["*"]
canSummon = ["*"]
triggerOn = ["message", "schedule"]
prompt = "${title('You are one')} ${word('and')}"
think = '''
${think}
'''
`;

const measure = (name, title, value) => `
[[measure]]
name = "${name}"
title = "${title}"
value = '${value}'
every = "5m"
`;


const walks = `
if wake.kind == "summons" { return if chance(0.7) { summon(wake.from, "${word('Answer')} ${title('an answer')}") } else { () }; }
if chance(0.3) { return act("/", "${names.world}:${names.deed}", #{ ${names.measure.replaceAll('-', '_')}: "${word('Wert')}" }); }
if chance(0.2) { return act(me.position, "say", #{ content: "${word('Gesagt')} ${title('and this')}" }); }
if chance(0.2) { return summon("@${names.talker}", "${title('A question')}"); }
if chance(0.1) { return act("/${names.hall}/${names.room}/nowhere", "say", #{ content: "nothing" }); }
if chance(0.1) { throw "${word('failed')}" }
if me.coords == () { return (); }
act(me.address, "move", #{ coords: [(me.coords.x + 1) % 6, me.coords.y] })
`;

const operation = `
[[operation]]
name = "${names.deed}"
description = "${title('A deed')}"
told = "does {{args.${names.measure.replaceAll('-', '_')}}} with ${title('a deed')}"
args = { ${names.measure.replaceAll('-', '_')} = "text" }
by = ["${names.role}", "${names.other}"]
run = '''
[act("/", "signal.set", #{ path: "${signal}", value: (signal("${signal}") ?? 0) + 1 })]
'''
`;

const world = `name = "${names.world}"
about = "${word('')} and ${title('the world')}"
zone = "UTC"
start = "2026-05-04T09:00:00"
seed = 3
absence = "skip"

[[space]]
path = "/${names.hall}"
type = "${one('hall')}"
quality.ambient.tone = "${several('loud')}"
allow = ["say"]

[[space]]
path = "/${names.hall}/${names.square}"
type = "square"
size = [6, 4]
allow = ["move", "say"]

[[space]]
path = "/${names.hall}/${names.room}"
type = "${several('room')}"
owner = "@${names.walker}"
flow = [{ stack = true, when = { "world.${signal}" = { gte = 9 } }, role = "${names.other}" }]

[[space]]
path = "/${ARABIC}"
type = "garden"
allow = ["say"]

[[space]]
path = "/${ARABIC}/${HEBREW}"
type = "room"

${Array.from({ length: 4 }, (_, at) => `[[matter]]
at = "/${names.hall}/${names.square}"
name = "${[names.thing, names.box, HEBREW, several('fountain')][at]}"
type = "${[one('station'), 'box', 'fountain', 'bench'][at]}"
content = "${title(`Thing ${at}`)} 🦆"
coords = [${at + 1}, 2]
`).join('\n')}
[[matter]]
at = "/${names.hall}/${names.square}/${names.box}"
name = "${one('piece')}"
type = "${one('piece')}"

[[matter]]
at = "/${names.hall}/${names.room}"
name = "${several('shelf')}"
type = "shelf"
content = "${word('Regal')}"
${role(names.role, walks)}${role(names.other, `if wake.kind == "summons" { return summon(wake.from, "${title('Later')}"); }\nif chance(0.1) { return act("/${names.hall}/nowhere", "say", #{ content: "nothing" }); }\nif chance(0.3) { return act(me.position, "say", #{ content: "${word('Wieder')}" }); }`)}
${being(names.walker, `/${names.hall}/${names.square}`, '[0, 0]', names.role, '3m')}
${being(names.talker, `/${names.hall}/${names.square}`, '[1, 0]', names.role, '5m')}
${being(several('third'), `/${names.hall}/${names.square}`, '[2, 0]', names.role, '7m')}
${being(ARABIC, `/${names.hall}/${names.square}`, '[3, 1]', names.other, '11m')}
${being(HEBREW, `/${names.hall}/${names.room}`, null, names.role, '13m')}
${being(one('sitter'), `/${names.hall}/${names.room}`, null, names.other, '17m')}
${being(several('gardener'), `/${ARABIC}`, null, names.role, '19m')}

[[signal]]
path = "${signal}"
value = 0

[[signal]]
path = "${names.signal}.${several('said')}"
value = "${title('A value')}"
${measure(names.measure, title('Measure'), `signal("${signal}") ?? 0`)}warn = { gte = 3 }
${measure(one('measure'), word('Maß'), '1234567.5')}
${measure(several('second'), 'مقياس الأسماء الطويلة جدا جدا التي لا تنتهي أبدا في هذا العالم', '42')}${operation}
[[try]]
say = "${word('Versuch')} ${title('To try')}"
button = "${title('Greet one')}"
verb = "summon"
target = "@${names.walker}"
content = "${title('Good morning')}"

[[now]]
say = "${title('What goes on')} ${word('jetzt')}"
watch = true

[[rule]]
name = "${several('rule')}"
on = ["say"]
when = { "world.${signal}" = 4 }
refuse = "${word('Nein')} ${title('refused')}"
`;

/** Writes it as a source; its directory. */
export function longest(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'world.toml'), world);
  return folder;
}
