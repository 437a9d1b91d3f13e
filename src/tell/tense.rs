//! Tense: verbs as operations tell them, in the third person of the present: as their base, and in the past.
//!
//! Other words stay as they are: a sentence in another language is told as it was written.

use crate::fact::VALUE;

/// Verbs whose past is in no rule.
const IRREGULAR: [(&str, &str); 153] = [
    ("acquit", "acquitted"),
    ("admit", "admitted"),
    ("allot", "allotted"),
    ("arise", "arose"),
    ("awake", "awoke"),
    ("be", "was"),
    ("beat", "beat"),
    ("become", "became"),
    ("begin", "began"),
    ("bend", "bent"),
    ("bid", "bid"),
    ("bind", "bound"),
    ("bite", "bit"),
    ("bleed", "bled"),
    ("blow", "blew"),
    ("break", "broke"),
    ("breed", "bred"),
    ("bring", "brought"),
    ("build", "built"),
    ("burst", "burst"),
    ("buy", "bought"),
    ("cast", "cast"),
    ("catch", "caught"),
    ("choose", "chose"),
    ("cling", "clung"),
    ("come", "came"),
    ("commit", "committed"),
    ("compel", "compelled"),
    ("confer", "conferred"),
    ("control", "controlled"),
    ("cost", "cost"),
    ("creep", "crept"),
    ("cut", "cut"),
    ("deal", "dealt"),
    ("defer", "deferred"),
    ("deter", "deterred"),
    ("dig", "dug"),
    ("do", "did"),
    ("draw", "drew"),
    ("drink", "drank"),
    ("drive", "drove"),
    ("eat", "ate"),
    ("equip", "equipped"),
    ("expel", "expelled"),
    ("fall", "fell"),
    ("feed", "fed"),
    ("feel", "felt"),
    ("fight", "fought"),
    ("find", "found"),
    ("flee", "fled"),
    ("fly", "flew"),
    ("forbid", "forbade"),
    ("forget", "forgot"),
    ("forgive", "forgave"),
    ("freeze", "froze"),
    ("get", "got"),
    ("give", "gave"),
    ("go", "went"),
    ("grind", "ground"),
    ("grow", "grew"),
    ("hang", "hung"),
    ("have", "had"),
    ("hear", "heard"),
    ("hide", "hid"),
    ("hit", "hit"),
    ("hold", "held"),
    ("hop", "hopped"),
    ("hurt", "hurt"),
    ("incur", "incurred"),
    ("infer", "inferred"),
    ("keep", "kept"),
    ("kneel", "knelt"),
    ("know", "knew"),
    ("lay", "laid"),
    ("lead", "led"),
    ("leave", "left"),
    ("lend", "lent"),
    ("let", "let"),
    ("lie", "lay"),
    ("light", "lit"),
    ("lose", "lost"),
    ("make", "made"),
    ("meet", "met"),
    ("occur", "occurred"),
    ("omit", "omitted"),
    ("patrol", "patrolled"),
    ("pay", "paid"),
    ("permit", "permitted"),
    ("prefer", "preferred"),
    ("propel", "propelled"),
    ("put", "put"),
    ("quit", "quit"),
    ("read", "read"),
    ("rebel", "rebelled"),
    ("refer", "referred"),
    ("regret", "regretted"),
    ("repel", "repelled"),
    ("ride", "rode"),
    ("ring", "rang"),
    ("rise", "rose"),
    ("run", "ran"),
    ("say", "said"),
    ("see", "saw"),
    ("seek", "sought"),
    ("sell", "sold"),
    ("send", "sent"),
    ("set", "set"),
    ("shake", "shook"),
    ("shine", "shone"),
    ("shoot", "shot"),
    ("shrink", "shrank"),
    ("shut", "shut"),
    ("sing", "sang"),
    ("sink", "sank"),
    ("sit", "sat"),
    ("sleep", "slept"),
    ("slide", "slid"),
    ("speak", "spoke"),
    ("speed", "sped"),
    ("spend", "spent"),
    ("spin", "spun"),
    ("spit", "spat"),
    ("split", "split"),
    ("spread", "spread"),
    ("spring", "sprang"),
    ("stand", "stood"),
    ("steal", "stole"),
    ("stick", "stuck"),
    ("sting", "stung"),
    ("stink", "stank"),
    ("strike", "struck"),
    ("submit", "submitted"),
    ("swear", "swore"),
    ("sweep", "swept"),
    ("swim", "swam"),
    ("swing", "swung"),
    ("take", "took"),
    ("teach", "taught"),
    ("tear", "tore"),
    ("tell", "told"),
    ("think", "thought"),
    ("throw", "threw"),
    ("transfer", "transferred"),
    ("tread", "trod"),
    ("understand", "understood"),
    ("wake", "woke"),
    ("wear", "wore"),
    ("weave", "wove"),
    ("weep", "wept"),
    ("win", "won"),
    ("wind", "wound"),
    ("wring", "wrung"),
    ("write", "wrote"),
];

/// Before a verb that is irregular, these change nothing.
const PREFIXES: [&str; 9] = ["fore", "mis", "out", "over", "re", "un", "under", "up", "with"];
/// Bases that lose no more than their `s` behind an ending that takes two letters away elsewhere.
const WITH_E: [&str; 14] =
    ["ache", "axe", "belie", "cache", "canoe", "hoe", "psyche", "shoe", "tiptoe", "toe", "underlie", "untie", "vie", "niche"];
/// Bases that end in an `s`.
const IN_S: [&str; 6] = ["bias", "bus", "canvas", "focus", "gas", "refocus"];

/// Verbs whose third person is in no rule.
const IRREGULAR_THIRD: [(&str, &str); 8] =
    [("is", "be"), ("has", "have"), ("does", "do"), ("goes", "go"), ("dies", "die"), ("lies", "lie"), ("ties", "tie"), ("undoes", "undo")];

fn irregular(base: &str) -> Option<String> {
    let known = |base: &str| IRREGULAR.iter().find(|(known, _)| *known == base).map(|(_, past)| *past);
    let behind = |prefix: &&str| Some(format!("{prefix}{}", known(base.strip_prefix(*prefix)?)?));
    known(base).map(str::to_owned).or_else(|| PREFIXES.iter().find_map(behind))
}

fn is_vowel(byte: u8) -> bool {
    b"aeiou".contains(&byte)
}

/// `presses` as `press`; none for what is no verb in the third person.
fn base_of(word: &str) -> Option<String> {
    if let Some((_, base)) = IRREGULAR_THIRD.iter().find(|(third, _)| *third == word) {
        return Some((*base).to_owned());
    }
    let is_third = word.len() > 2 && word.ends_with('s') && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_none = word == "was" || ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if !is_third || is_none {
        return None;
    }
    let without = |count: usize| word.get(..word.len() - count).unwrap_or_default();
    if WITH_E.contains(&without(1)) {
        return Some(without(1).to_owned());
    }
    if IN_S.contains(&without(2)) {
        return Some(without(2).to_owned());
    }
    if word.ends_with("ies") {
        return Some(format!("{}y", without(3)));
    }
    let takes_es = ["sses", "shes", "ches", "xes", "zzes", "oes"].iter().any(|end| word.ends_with(end));
    Some(without(if takes_es { 2 } else { 1 }).to_owned())
}

/// Whether a word ends in a `y` behind a consonant.
fn ends_in_y(base: &str) -> bool {
    matches!(base.as_bytes(), [.., before, b'y'] if !is_vowel(*before))
}

/// Whether a word is one syllable of one vowel before one consonant, which is doubled: `scrap`, `plan`.
fn doubles(base: &str) -> bool {
    let [rest @ .., vowel, last] = base.as_bytes() else { return false };
    let rest = rest.strip_suffix(b"qu").unwrap_or(rest);
    is_vowel(*vowel) && !is_vowel(*last) && !b"wxyc".contains(last) && !rest.iter().any(|byte| is_vowel(*byte))
}

/// `press` as `pressed`.
fn past_of(base: &str) -> String {
    match (irregular(base), base.strip_suffix('y').filter(|_| ends_in_y(base)), base.chars().last()) {
        (Some(past), ..) => past,
        (_, _, Some('e')) => format!("{base}d"),
        (_, _, Some('c')) => format!("{base}ked"),
        (_, Some(stem), _) => format!("{stem}ied"),
        (_, _, Some(last)) if doubles(base) => format!("{base}{last}ed"),
        _ => format!("{base}ed"),
    }
}

/// `press` as `presses`.
pub(super) fn third_of(base: &str) -> String {
    if let Some((third, _)) = IRREGULAR_THIRD.iter().find(|(_, known)| *known == base) {
        return (*third).to_owned();
    }
    if let Some(stem) = base.strip_suffix('y').filter(|_| ends_in_y(base)) {
        return format!("{stem}ies");
    }
    let takes_es = ["s", "sh", "ch", "x", "zz", "o"].iter().any(|end| base.ends_with(end));
    format!("{base}{}", if takes_es { "es" } else { "s" })
}

/// A deed with its first verb told another way; none where it begins with no verb.
fn turned(deed: &str, how: impl Fn(&str) -> String) -> Option<String> {
    let first = deed.split(' ').next().unwrap_or_default();
    let told = how(&base_of(first)?) + deed.get(first.len()..).unwrap_or_default();
    // A second verb is only known where it is one that nobody takes for a noun.
    let second = told.match_indices(" and ").filter(|(at, _)| !is_in_value(&told, *at)).find_map(|(at, and)| {
        let begins = at + and.len();
        let word = told.get(begins..)?.split(|c: char| !c.is_ascii_lowercase()).next()?;
        let base = base_of(word).filter(|base| irregular(base).is_some())?;
        Some((begins, begins + word.len(), how(&base)))
    });
    Some(match second {
        Some((begins, ends, told_so)) => {
            format!("{}{told_so}{}", told.get(..begins).unwrap_or_default(), told.get(ends..).unwrap_or_default())
        }
        None => told,
    })
}

/// Whether a place of a sentence lies in somebody's own value.
fn is_in_value(told: &str, at: usize) -> bool {
    let [begins, ends] = VALUE;
    let before = told.get(..at).unwrap_or_default();
    before.rfind(begins) > before.rfind(ends)
}

/// `presses a deck` as `pressed a deck`; other words stay.
pub fn in_past(deed: &str) -> String {
    turned(deed, past_of).unwrap_or_else(|| deed.to_owned())
}

/// `presses a deck` as `press a deck`; none where it begins with no verb.
pub fn as_base(deed: &str) -> Option<String> {
    turned(deed, str::to_owned)
}
