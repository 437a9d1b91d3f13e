//! Written: the steps that the script of an operation spells out: which operation on what, as far as its text alone tells.
//!
//! Only `act` with a name in quotes is read, on the actor, the target, an argument or an address in quotes. A name that is bound twice, or
//! assigned, tells nothing.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, Stmt};

/// On what a step is written to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenOn {
    /// Who does the operation.
    Actor,
    /// What the operation is done to.
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
}

/// The steps that a compiled operation spells out.
pub(super) fn written(ast: &AST) -> Vec<WrittenStep> {
    let names = BoundNames::of(ast);
    let mut steps = Vec::new();
    ast.walk(&mut |path: &[ASTNode<'_>]| {
        let call = match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at))) => Some((call, at)),
            Some(ASTNode::Stmt(Stmt::FnCall(call, at))) => Some((call, at)),
            _ => None,
        };
        if let Some((call, at)) = call.filter(|(call, _)| call.name == "act")
            && let [on, Expr::StringConstant(action, _), ..] = call.args.as_slice()
        {
            steps.push(WrittenStep { line: at.line().unwrap_or(0), action: action.to_string(), on: names.on(on) });
        }
        true
    });
    steps
}

/// What the names of a script stand for.
struct BoundNames {
    /// Each name that is bound once and never assigned, with the path that it stands for.
    known: BTreeMap<String, Vec<String>>,
}

impl BoundNames {
    fn of(ast: &AST) -> Self {
        let (mut bound, mut lost): (BTreeMap<String, Vec<String>>, BTreeSet<String>) = Default::default();
        let mut seen = BTreeSet::new();
        let mut bind = |name: &str, path: Option<Vec<String>>, lost: &mut BTreeSet<String>| {
            if !seen.insert(name.to_owned()) {
                lost.insert(name.to_owned());
            }
            bound.extend(path.map(|path| (name.to_owned(), path)));
        };
        for function in ast.iter_functions() {
            let is_given = function.name == "run" && function.params.len() == 1;
            for param in &function.params {
                bind(param, is_given.then(|| vec![GIVEN.to_owned()]), &mut lost);
            }
        }
        ast.walk(&mut |path: &[ASTNode<'_>]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Var(var, ..))) => bind(&var.0.name, path_of(&var.1), &mut lost),
                Some(ASTNode::Stmt(Stmt::For(each, _))) => bind(&each.0.name, None, &mut lost),
                Some(ASTNode::Stmt(Stmt::Assignment(assigned))) => {
                    // What is assigned inside something changes no name.
                    lost.extend(
                        Some(&assigned.1.lhs).filter(|lhs| matches!(lhs, Expr::Variable(..))).and_then(path_of).into_iter().flatten(),
                    );
                }
                _ => {}
            }
            true
        });
        bound.retain(|name, _| !lost.contains(name));
        Self { known: bound }
    }

    fn on(&self, expr: &Expr) -> WrittenOn {
        if let Expr::StringConstant(address, _) = expr {
            return WrittenOn::Address(address.to_string());
        }
        let path = path_of(expr).map(|path| self.whole(path)).unwrap_or_default();
        let words: Vec<&str> = path.iter().map(String::as_str).collect();
        match words.as_slice() {
            [GIVEN, "actor", "address"] => WrittenOn::Actor,
            [GIVEN, "target", "address"] => WrittenOn::Target,
            [GIVEN, "args", path @ ..] if !path.is_empty() => WrittenOn::Argument(path.join(".")),
            _ => WrittenOn::Other,
        }
    }

    /// A path whose first name is what is given to the operation, where that is known.
    fn whole(&self, mut path: Vec<String>) -> Vec<String> {
        // A name may stand for another; more often than there are names it does not.
        for _ in 0..=self.known.len() {
            let Some(head) = path.first().filter(|head| head.as_str() != GIVEN).cloned() else { break };
            let Some(stands) = self.known.get(&head) else { return Vec::new() };
            path.splice(0..1, stands.iter().cloned());
        }
        path
    }
}

/// What is given to an operation: no name of a script looks like it.
const GIVEN: &str = "()";

/// `ctx.target.address` as its words.
fn path_of(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::Variable(name, ..) => Some(vec![name.1.to_string()]),
        Expr::Property(name, _) => Some(vec![name.2.to_string()]),
        Expr::Dot(both, ..) => {
            let (mut path, rest) = (path_of(&both.lhs)?, path_of(&both.rhs)?);
            path.extend(rest);
            Some(path)
        }
        _ => None,
    }
}
