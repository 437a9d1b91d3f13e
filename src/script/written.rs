//! Written: the steps and addresses that a script spells out: which operation on what, with what, as far as its text alone tells.
//!
//! Only `act` with a name in quotes is read, on the actor, the target, an argument or an address in quotes.

use rhai::{AST, ASTNode, Expr, FnCallExpr, Stmt};

use super::bound::{BoundNames, RUN};

/// On what a step is written to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenOn {
    /// The being that does the operation.
    Actor,
    /// The target of the operation.
    Target,
    /// The argument at a path.
    Argument(String),
    /// An address in quotes.
    Address(String),
    /// Something that the text does not tell.
    Other,
}

/// A step in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenStep {
    /// The line.
    pub line: usize,
    /// The operation.
    pub action: String,
    /// On what.
    pub on: WrittenOn,
    /// The arguments that are named there.
    pub arguments: Vec<String>,
}

/// An address in quotes that a script gives to a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAddress {
    /// The line.
    pub line: usize,
    /// The address.
    pub address: String,
}

/// The functions whose first argument is an address.
const OF_ADDRESSES: [&str; 5] = ["act", "summon", "look", "see", "why_not"];

/// The steps that a compiled operation spells out.
pub(super) fn written(ast: &AST) -> Vec<WrittenStep> {
    let names = BoundNames::of(ast);
    let mut steps = Vec::new();
    each_call(ast, |call, line| {
        if call.name == "act"
            && let [on, Expr::StringConstant(action, _), rest @ ..] = call.args.as_slice()
        {
            let arguments = rest.first().map(keys).unwrap_or_default();
            steps.push(WrittenStep { line, action: action.to_string(), on: written_on(&names, on), arguments });
        }
    });
    steps
}

/// The addresses that a compiled script spells out.
pub(super) fn addresses(ast: &AST) -> Vec<WrittenAddress> {
    let mut addresses = Vec::new();
    each_call(ast, |call, line| {
        if OF_ADDRESSES.contains(&call.name.as_str())
            && let [Expr::StringConstant(address, _), ..] = call.args.as_slice()
        {
            addresses.push(WrittenAddress { line, address: address.to_string() });
        }
    });
    addresses
}

/// Shows each call of a function, with its line.
fn each_call(ast: &AST, mut shown: impl FnMut(&FnCallExpr, usize)) {
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        if let Some(ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at))) = path.last() {
            shown(call, at.line().unwrap_or(0));
        }
        true
    });
}

/// The keys of a map that is written out.
fn keys(expr: &Expr) -> Vec<String> {
    let Expr::Map(map, _) = expr else { return Vec::new() };
    map.0.iter().map(|(key, _)| key.name.to_string()).collect()
}

fn written_on(names: &BoundNames, expr: &Expr) -> WrittenOn {
    if let Expr::StringConstant(address, _) = expr {
        return WrittenOn::Address(address.to_string());
    }
    let path = names.path(expr).unwrap_or_default();
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    match words.as_slice() {
        [RUN, "actor", "address"] => WrittenOn::Actor,
        [RUN, "target", "address"] => WrittenOn::Target,
        [RUN, "args", path @ ..] if !path.is_empty() => WrittenOn::Argument(path.join(".")),
        _ => WrittenOn::Other,
    }
}
