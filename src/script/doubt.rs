//! Doubt: what a script that compiles may not mean: a function that nobody offers, a face that has no such key, a list of calls.
//!
//! A script is read and not run. What cannot be told from its text is not doubted.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt};

/// What a face has; `see` only where a role names resolvers.
const FACE: [&str; 7] = ["me", "role", "stack", "wake", "time", "orientation", "see"];
/// What the engine takes for a function and lists nowhere.
const KEYWORDS: [&str; 9] = ["print", "debug", "type_of", "call", "Fn", "is_def_var", "is_def_fn", "is_shared", "take"];
/// The functions that make a call.
const CALLS: [&str; 5] = ["act", "summon", "be", "look", "saying"];

/// Something that may not be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptDoubt {
    /// The line.
    pub line: u32,
    /// What is wrong there, and what to write.
    pub what: String,
    /// What kind.
    pub kind: ScriptDoubted,
}

/// What is doubted in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScriptDoubted {
    /// A key that no face has.
    Face,
    /// What a mind returns.
    Returned,
    /// A function of that name, which there is not at all.
    Function(String),
    /// How many arguments a function is given.
    Arguments,
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
    let faces = faces(ast);
    let set = keys_set(ast, &faces);
    let known = KnownFunctions { own, native: offered(engine) };
    let mut doubts = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at))) => doubts.extend(known.call(call, *at, 0)),
            Some(ASTNode::Stmt(Stmt::FnCall(call, at))) => doubts.extend(known.call(call, *at, 0)),
            Some(ASTNode::Expr(Expr::MethodCall(call, at))) => doubts.extend(known.call(call, *at, 1)),
            Some(ASTNode::Expr(expr)) => {
                doubts.extend(face_read(expr, &faces).filter(|(key, _)| !set.contains(key)).map(|(_, doubt)| doubt))
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

/// The names under which a script knows the face.
fn faces(ast: &AST) -> BTreeSet<String> {
    let minds = ast.iter_functions().filter(|defined| ["think", "resolve"].contains(&defined.name) && defined.params.len() == 1);
    minds.filter_map(|defined| defined.params.first().map(|face| (*face).to_owned())).collect()
}

/// The keys that a script puts into a face by itself.
fn keys_set(ast: &AST, faces: &BTreeSet<String>) -> BTreeSet<String> {
    let mut set = BTreeSet::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last() {
            set.extend(face_read(&assignment.1.lhs, faces).map(|(key, _)| key));
        }
        true
    });
    set
}

/// The key that an expression reads of a face that has none such.
fn face_read(expr: &Expr, faces: &BTreeSet<String>) -> Option<(String, ScriptDoubt)> {
    let (Expr::Dot(pair, _, at) | Expr::Index(pair, _, at)) = expr else { return None };
    let Expr::Variable(name, ..) = &pair.lhs else { return None };
    if !faces.contains(name.1.as_str()) {
        return None;
    }
    let mut keys = Vec::new();
    chain(&pair.rhs, &mut keys);
    let (key, rest) = keys.split_first()?;
    if FACE.contains(&key.as_str()) {
        return None;
    }
    let what = match (key.as_str(), rest.join(".")) {
        ("world", path) if path.is_empty() => "the face has no `world`; read a signal as `signal(\"path\")`".to_owned(),
        ("world", path) => format!("the face has no `world`; write `signal(\"{path}\")`"),
        (other, _) => format!("the face has no `{other}`; it has {}", FACE.join(", ")),
    };
    let at = if pair.lhs.position().is_none() { *at } else { pair.lhs.position() };
    Some((key.clone(), ScriptDoubt { line: line(at), what, kind: ScriptDoubted::Face }))
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

fn line(at: Position) -> u32 {
    at.line().and_then(|line| u32::try_from(line).ok()).unwrap_or(0)
}
