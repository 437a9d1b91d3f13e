//! Hint: what a path that no moment has may stand for.

use super::name;
use super::operator::Operator;
use super::path::Path;

/// A hint at what an unknown path may stand for: another path, an operator written as one, or an operand.
pub(super) fn path_hint(text: &str) -> Option<String> {
    if let Some((head, last)) = text.rsplit_once('.') {
        let is_known = Path::parse(head).is_ok_and(|path| !path.is_unknown());
        if is_known && last == "path" {
            return Some(format!("to compare `{head}` with another path, write {{\"eq\": {{\"path\": …}}}}"));
        }
        if is_known && let Some(near) = name::nearest(last, Operator::WORDS.iter().copied()) {
            return Some(format!("did you mean the operator `{near}`?"));
        }
    }
    Path::suggest(text).map(|near| format!("did you mean `{near}`?"))
}
