//! Names: the grammar of role names, and the nearest known word to one that may be mistyped.
//!
//! Whether a name is registered is not known here.

/// The longest name of a role, in bytes.
pub(super) const NAME_MAX: usize = 64;

/// Whether this is kebab case: lower-case letters and digits in groups, joined by single dashes.
fn is_kebab(text: &str) -> bool {
    text.split('-').all(|group| !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// Whether this is a role's name: kebab case, with at most one namespace before a colon (`judge`, `emotions:bored`).
pub fn is_role_name(text: &str) -> bool {
    text.len() <= NAME_MAX
        && match text.split_once(':') {
            Some((namespace, name)) => is_kebab(namespace) && is_kebab(name),
            None => is_kebab(text),
        }
}

/// The known word that the given one most likely stands for, if any is near enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 2 * NAME_MAX {
        return None;
    }
    let far = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(steps, _)| *steps <= far)
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, candidate)| candidate)
}

/// The question after the nearest known word, written behind a mark (`@`, `world.`, or nothing); none where no word is near enough.
pub fn did_you_mean<'a>(mark: &str, word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, known).map(|near| format!("did you mean `{mark}{near}`?"))
}

/// The same question for what no frame records: two neighbouring letters that are exchanged count as one step.
///
/// Refusals record the answer of [`did_you_mean`], which therefore stays as it is.
pub fn may_mean(mark: &str, word: &str, known: &[&str]) -> Option<String> {
    let exchanged = || known.iter().find(|near| strsim::osa_distance(word, near) == 1);
    did_you_mean(mark, word, known.iter().copied()).or_else(|| exchanged().map(|near| format!("did you mean `{mark}{near}`?")))
}

/// [`may_mean`] as the end of a sentence.
pub fn or_may_mean(mark: &str, word: &str, known: &[&str]) -> String {
    may_mean(mark, word, known).map(|question| format!("; {question}")).unwrap_or_default()
}

/// The same question as the end of a sentence, which stands without it too.
pub fn or_meant<'a>(mark: &str, word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(mark, word, known).map(|question| format!("; {question}")).unwrap_or_default()
}

/// A hint that names the nearest known word, or lists them all.
pub(super) fn hint(word: &str, known: &[&str]) -> String {
    let all = || format!("known are {}", known.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "));
    did_you_mean("", word, known.iter().copied()).unwrap_or_else(all)
}

/// How many letters must be added, dropped or changed to come from one word to the other, case aside.
pub fn distance(from: &str, to: &str) -> usize {
    let letters = |word: &str| word.chars().flat_map(char::to_lowercase).collect::<Vec<_>>();
    strsim::generic_levenshtein(&letters(from), &letters(to))
}
