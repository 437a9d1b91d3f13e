//! Doubt: what a script that compiles may not mean: a function that nobody offers, a face that has no such key, a list of calls.
//!
//! A script is read and not run. A construct that the text alone cannot settle is not doubted.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt};

use crate::fact::WakeKind;

use super::bound::{BoundNames, FACE, JUDGE, RUN};

/// A part of what a function is given, and lists of the keys that it has; no list where it may hold anything.
type GivenPart = (&'static str, &'static [&'static [&'static str]]);

/// The keys of a being.
const BEING: &[&str] = &[
    "kind",
    "id",
    "name",
    "address",
    "parent",
    "home",
    "position",
    "coords",
    "cognition",
    "defaultRole",
    "wearing",
    "inhabitedBy",
    "paused",
    "frozen",
    "ended",
    "qualities",
    "holds",
    "more",
    "unsought",
    "undressed",
    "lets",
    "bridge",
    "claimed",
    "panel",
];
/// The keys of a wake, of all kinds together.
const WAKE: &[&str] = &[
    "kind",
    "cause",
    "due",
    "from",
    "content",
    "intent",
    "callerRole",
    "inReplyTo",
    "heard",
    "only",
    "answer",
    "until",
    "name",
    "path",
    "space",
    "action",
    "target",
    "place",
    "count",
    "frame",
    "wore",
    "since",
    "about",
    "ballots",
];
/// The keys of a space and of matter that a being has not.
const PLACE_OR_MATTER: &[&str] =
    &["type", "size", "owner", "contributors", "allow", "count", "beings", "spaces", "matter", "author", "content", "leftOut"];
const TIME: &[&str] = &["at", "hour", "minute", "dayOfWeek", "iso", "sinceLastMoment"];
/// The argument of `think` and `resolve`; it has `see` only where a role names resolvers.
const OF_FACE: &[GivenPart] =
    &[("me", &[BEING]), ("role", &[]), ("stack", &[]), ("wake", &[WAKE]), ("time", &[TIME]), ("orientation", &[]), ("see", &[])];
/// The argument of `run`.
const OF_RUN: &[GivenPart] = &[("actor", &[BEING]), ("target", &[BEING, PLACE_OR_MATTER]), ("args", &[]), ("at", &[])];
/// The argument of `judge`.
const OF_JUDGE: &[GivenPart] = &[
    ("verb", &[]),
    ("action", &[]),
    ("actor", &[BEING]),
    ("by", &[BEING]),
    ("target", &[BEING, PLACE_OR_MATTER]),
    ("to", &[]),
    ("args", &[]),
    ("at", &[]),
];
/// The functions that the engine parses as keywords and lists nowhere.
const KEYWORDS: [&str; 9] = ["print", "debug", "type_of", "call", "Fn", "is_def_var", "is_def_fn", "is_shared", "take"];
/// The functions that make a call.
pub(super) const CALLS: [&str; 5] = ["act", "summon", "be", "look", "saying"];

/// Something that may not be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptDoubt {
    /// The line.
    pub line: u32,
    /// The problem, and its remedy.
    pub what: String,
    /// The kind of doubt.
    pub kind: ScriptDoubted,
}

/// The subject of a doubt in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptDoubted {
    /// A key that what the function is given has not, and those that it has.
    Key(String, Vec<&'static str>),
    /// The value that a mind returns.
    Returned,
    /// A function of that name, which there is not at all.
    Function(String),
    /// How many arguments a function is given.
    Arguments,
    /// An act that is made and not returned.
    Dropped,
    /// A place in a text whose quotes read none.
    Dollar,
}

/// Functions by how many arguments each takes.
type Offered = BTreeMap<String, BTreeSet<usize>>;

/// The functions of an engine.
pub(super) fn offered(engine: &Engine) -> Offered {
    let each = engine.collect_fn_metadata(None, |info| Some((info.metadata.name.to_string(), info.metadata.num_params)), true);
    each.into_iter().fold(Offered::new(), |mut offered, (name, count)| {
        offered.entry(name).or_default().insert(count);
        offered
    })
}

/// Everything that may not be meant in a script, by line.
pub(super) fn doubts(engine: &Engine, ast: &AST) -> Vec<ScriptDoubt> {
    let mut own = Offered::new();
    for defined in ast.iter_functions() {
        own.entry(defined.name.to_owned()).or_default().insert(defined.params.len());
    }
    let names = BoundNames::of(ast);
    let set = keys_set(ast, &names);
    let known = KnownFunctions { own, native: offered(engine) };
    let mut doubts = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at))) => {
                doubts.extend(known.call(call, *at, 0).into_iter().chain(strange_kind(call, *at, &names)));
            }
            Some(ASTNode::Stmt(Stmt::FnCall(call, at))) => doubts.extend(known.call(call, *at, 0)),
            Some(ASTNode::Expr(Expr::MethodCall(call, at))) => doubts.extend(known.call(call, *at, 1)),
            Some(ASTNode::Expr(expr)) => {
                doubts.extend(strange_read(expr, &names).filter(|(path, _)| !set.contains(path)).map(|(_, doubt)| doubt))
            }
            Some(ASTNode::Stmt(_)) | None => {}
            // The engine may come to know more kinds of nodes.
            Some(_) => {}
        }
        true
    });
    doubts.extend(returned(ast));
    doubts.sort_by_key(|doubt| doubt.line);
    doubts.dedup();
    doubts
}

/// The paths that a script puts into what it is given by itself.
fn keys_set(ast: &AST, names: &BoundNames) -> BTreeSet<Vec<String>> {
    let mut set = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() {
            set.extend(strange_read(&assignment.1.lhs, names).map(|(path, _)| path));
        }
        true
    });
    set
}

/// The path that an expression reads of what its function is given, up to the key that is not there.
fn strange_read(expr: &Expr, names: &BoundNames) -> Option<(Vec<String>, ScriptDoubt)> {
    let (Expr::Dot(pair, _, at) | Expr::Index(pair, _, at)) = expr else { return None };
    let Expr::Variable(name, ..) = &pair.lhs else { return None };
    let mut keys = vec![name.1.to_string()];
    chain(&pair.rhs, &mut keys);
    let path = names.whole(keys)?;
    let (given, keys) = path.split_first()?;
    let (depth, what, has) = strange_key(given, keys)?;
    let at = if pair.lhs.position().is_none() { *at } else { pair.lhs.position() };
    let kind = ScriptDoubted::Key(keys.get(depth)?.clone(), has);
    Some((path.iter().take(depth + 2).cloned().collect(), ScriptDoubt { line: line(at), what, kind }))
}

/// A comparison with a kind of wake that there is not.
fn strange_kind(call: &FnCallExpr, at: Position, names: &BoundNames) -> Option<ScriptDoubt> {
    let ([read, Expr::StringConstant(kind, _)] | [Expr::StringConstant(kind, _), read]) = call.args.as_slice() else { return None };
    let is_comparison = matches!(call.name.as_str(), "==" | "!=");
    if !is_comparison || kind.parse::<WakeKind>().is_ok() || names.path(read)? != [FACE, "wake", "kind"] {
        return None;
    }
    let kinds: Vec<&str> = WakeKind::ALL.iter().map(|kind| kind.word()).collect();
    let what = format!("no wake has the kind `{kind}`; there are {}", kinds.join(", "));
    Some(ScriptDoubt { line: line(at), what, kind: ScriptDoubted::Key(kind.to_string(), kinds) })
}

/// The first of some keys that is not there: how deep, what is wrong with it, and what stands there.
fn strange_key(given: &str, keys: &[String]) -> Option<(usize, String, Vec<&'static str>)> {
    let (called, parts) = match given {
        FACE => ("the face", OF_FACE),
        RUN => ("the context", OF_RUN),
        JUDGE => ("the context", OF_JUDGE),
        _ => return None,
    };
    let (key, rest) = keys.split_first()?;
    let names = || parts.iter().map(|(name, _)| *name).collect::<Vec<_>>();
    match (parts.iter().find(|(name, _)| name == key), key.as_str(), rest) {
        (None, "world", []) => Some((0, format!("{called} has no `world`; read a signal as `signal(\"path\")`"), Vec::new())),
        (None, "world", path) => Some((0, format!("{called} has no `world`; write `signal(\"{}\")`", path.join(".")), Vec::new())),
        (None, other, _) => Some((0, format!("{called} has no `{other}`; it has {}", names().join(", ")), names())),
        (Some((part, has)), _, [key, ..]) if !has.is_empty() && !has.iter().any(|list| list.contains(&key.as_str())) => {
            let has = has.concat();
            Some((1, format!("`{part}` has no `{key}`; it has {}", has.join(", ")), has))
        }
        _ => None,
    }
}

/// The keys of a chain, as far as they are written out.
fn chain(expr: &Expr, keys: &mut Vec<String>) -> bool {
    match expr {
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => chain(&pair.lhs, keys) && chain(&pair.rhs, keys),
        Expr::Property(property, _) => {
            keys.push(property.2.to_string());
            true
        }
        Expr::StringConstant(text, _) => {
            keys.push(text.to_string());
            true
        }
        _ => false,
    }
}

struct KnownFunctions {
    own: Offered,
    native: Offered,
}

impl KnownFunctions {
    /// A call of a function that there is not; a method has the value before the dot as an argument more.
    fn call(&self, call: &FnCallExpr, at: Position, before: usize) -> Option<ScriptDoubt> {
        let (name, count) = (call.name.as_str(), call.args.len());
        let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.contains('$');
        if call.op_token.is_some() || !is_word || KEYWORDS.contains(&name) {
            return None;
        }
        let takes = |offered: &Offered, count: usize| offered.get(name).is_some_and(|counts| counts.contains(&count));
        if takes(&self.own, count) || takes(&self.native, count + before) {
            return None;
        }
        let own = self.own.get(name).into_iter().flatten().copied();
        let native = self.native.get(name).into_iter().flatten().filter_map(|count| count.checked_sub(before));
        let counts: BTreeSet<usize> = own.chain(native).collect();
        let (what, kind) = if counts.is_empty() {
            (format!("there is no function `{name}`"), ScriptDoubted::Function(name.to_owned()))
        } else {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            let behind = if before == 1 { " behind the dot" } else { "" };
            (format!("`{name}` takes {} arguments{behind}, found {count}", counts.join(" or ")), ScriptDoubted::Arguments)
        };
        Some(ScriptDoubt { line: line(at), what, kind })
    }
}

/// The lists of calls that a mind returns.
fn returned(ast: &AST) -> Vec<ScriptDoubt> {
    let mut mind = ast.clone();
    mind.retain_functions(|_, _, name, count| name == "think" && count == 1);
    mind.clear_statements();
    let mut lists = BTreeSet::new();
    mind.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Var(declared, ..))) = path.last()
            && matches!(declared.1, Expr::Array(..))
        {
            lists.insert(declared.0.name.to_string());
        }
        true
    });
    let mut doubts = Vec::new();
    mind.walk(&mut |path: &[ASTNode<'_>]| {
        let value = match path.last() {
            Some(ASTNode::Stmt(Stmt::Return(Some(value), ..))) => Some(&**value),
            Some(ASTNode::Stmt(Stmt::Expr(value))) => Some(&**value),
            _ => None,
        };
        let is_list = |value: &&Expr| match value {
            Expr::Array(items, _) => items.iter().any(is_call),
            Expr::Variable(name, ..) => lists.contains(name.1.as_str()),
            _ => false,
        };
        doubts.extend(value.filter(is_list).map(|value| ScriptDoubt {
            line: line(value.position()),
            what: "a mind returns one call, and this is a list; return one, and summon yourself to go on".to_owned(),
            kind: ScriptDoubted::Returned,
        }));
        true
    });
    doubts
}

/// Whether an expression makes a call.
fn is_call(expr: &Expr) -> bool {
    match expr {
        Expr::FnCall(call, _) | Expr::MethodCall(call, _) => CALLS.contains(&call.name.as_str()),
        Expr::Dot(pair, ..) => is_call(&pair.lhs) || is_call(&pair.rhs),
        _ => false,
    }
}

pub(super) fn line(at: Position) -> u32 {
    at.line().and_then(|line| u32::try_from(line).ok()).unwrap_or(0)
}
