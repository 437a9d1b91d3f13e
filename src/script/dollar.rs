//! Dollar: texts in plain quotes that say `${…}`, which only a text between backticks reads.
//!
//! A text that is looked for in another one, or put in its place, may say it: so scripts fill in templates of their own.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use super::doubt::{ScriptDoubt, ScriptDoubted, line};

/// The functions that look for a text in another one.
const LOOK: [&str; 7] = ["replace", "contains", "split", "split_rev", "index_of", "starts_with", "ends_with"];

/// Every place in a text of plain quotes, by line.
pub(super) fn dollars(ast: &AST, source: &str) -> Vec<ScriptDoubt> {
    let (mut said, mut sought) = (BTreeSet::new(), BTreeSet::new());
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let [before @ .., ASTNode::Expr(Expr::StringConstant(text, at))] = path
            && let Some(place) = place_in(text)
        {
            if is_sought(before) {
                sought.insert(place.to_owned());
            } else if written(source, *at).is_some_and(|written| place_in(written).is_some()) {
                said.insert((line(*at), place.to_owned()));
            }
        }
        true
    });
    let told = |(line, place): (u32, String)| {
        let what = format!("`{place}` stands in plain quotes, and `${{` is read between backticks only; write the text in backticks");
        ScriptDoubt { line, what, kind: ScriptDoubted::Dollar }
    };
    said.into_iter().filter(|(_, place)| !sought.contains(place)).map(told).collect()
}

/// The first `${…}` of a text that holds something.
fn place_in(text: &str) -> Option<&str> {
    text.match_indices("${").find_map(|(at, _)| {
        let rest = text.get(at..)?;
        let place = rest.get(..=rest.find('}')?)?;
        (!place.trim_start_matches("${").trim_end_matches('}').trim().is_empty()).then_some(place)
    })
}

/// Whether a text is an argument of a function that looks for it.
fn is_sought(before: &[ASTNode<'_>]) -> bool {
    match before.last() {
        Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))) => {
            LOOK.contains(&call.name.as_str())
        }
        _ => false,
    }
}

/// The text between its plain quotes, as it is written. A dollar in another spelling is meant as one.
fn written(source: &str, at: Position) -> Option<&str> {
    let (line, column) = (at.line()?.checked_sub(1)?, at.position()?.checked_sub(1)?);
    let begin: usize = source.split_inclusive('\n').take(line).map(str::len).sum();
    let text = source.get(begin..)?;
    let text = text.get(text.char_indices().nth(column)?.0..)?.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = text.find(|c: char| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    text.get(..end?)
}
