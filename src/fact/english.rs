//! English: the small words of sentences that are put together, for minds and for people.
//!
//! Names and kinds come from whoever made the world, so the article is guessed from the first sound as far as letters tell it.

/// Beginnings with a vowel that sound like `you`.
const LIKE_YOU: [&str; 17] =
    ["eu", "ewe", "ubiq", "uk", "unanim", "uni", "uran", "urin", "usa", "use", "usu", "uten", "uter", "util", "utop", "uvu", "uz"];
/// Those among them that sound as they are written all the same.
const AS_WRITTEN: [&str; 2] = ["unim", "unin"];
/// Words that begin like `won`.
const LIKE_WON: [&str; 2] = ["one", "once"];
/// Beginnings whose h nobody hears.
const SILENT: [&str; 4] = ["heir", "honest", "honor", "hour"];
/// Consonants whose names begin with a vowel.
const NAMED: &str = "FHLMNRSX";
/// The most letters of a word in capitals that is spelled.
const SPELLED: usize = 4;

/// A word behind its indefinite article: `an office`, `a unicorn`.
pub fn with_article(word: &str) -> String {
    format!("{} {word}", if takes_an(word) { "an" } else { "a" })
}

fn takes_an(text: &str) -> bool {
    let word: String = text.chars().skip_while(|c| !c.is_alphanumeric()).take_while(|c| c.is_alphanumeric()).collect();
    let Some(first) = word.chars().next() else { return false };
    if first.is_ascii_digit() {
        return number_takes_an(&word);
    }
    let is_letter = word.chars().nth(1).is_none_or(|c| c.is_ascii_digit());
    if is_letter || (word.len() <= SPELLED && word.chars().all(|c| c.is_ascii_uppercase())) {
        let (letter, has_vowel) = (first.to_ascii_uppercase(), word.contains(['A', 'E', 'I', 'O', 'U']));
        return matches!(letter, 'A' | 'E' | 'I' | 'O') || (NAMED.contains(letter) && !has_vowel);
    }
    let small = word.to_lowercase();
    let begins = |with: &[&str]| with.iter().any(|beginning| small.starts_with(beginning));
    match plain_letter(first) {
        'a' | 'e' | 'i' | 'o' | 'u' => (!begins(&LIKE_YOU) || begins(&AS_WRITTEN)) && !LIKE_WON.contains(&small.as_str()),
        'h' => begins(&SILENT),
        _ => false,
    }
}

/// A count with its digits in threes: `9,970`.
pub fn in_threes(count: usize) -> String {
    let digits = count.to_string();
    let places = digits.len();
    let comma = |at: usize| if at > 0 && (places - at).is_multiple_of(3) { "," } else { "" };
    digits.chars().enumerate().map(|(at, digit)| format!("{}{digit}", comma(at))).collect()
}

/// Whether a number is read with a vowel first: 8, 80 and all that begin so; 11 and 18, also of thousands.
fn number_takes_an(word: &str) -> bool {
    let digits = word.chars().take_while(char::is_ascii_digit).count();
    word.starts_with('8') || ((word.starts_with("11") || word.starts_with("18")) && digits % 3 == 2)
}

/// A Latin vowel without its marks, in small letters.
fn plain_letter(letter: char) -> char {
    match letter.to_lowercase().next().unwrap_or(letter) {
        'à'..='æ' | 'ā' | 'ă' | 'ą' => 'a',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ì'..='ï' | 'ĩ' | 'ī' | 'į' => 'i',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' | 'œ' => 'o',
        'ù'..='ü' | 'ũ' | 'ū' | 'ů' | 'ű' => 'u',
        letter => letter,
    }
}
