//! Bound: what the names of a script stand for, as far as its text alone tells: a part of what its function is given.
//!
//! A name that stands for two things, or is assigned, tells nothing.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{AST, ASTNode, Expr, Stmt};

/// The argument of `think` and `resolve`: no name of a script looks like it.
pub(super) const FACE: &str = "(face)";
/// The argument of `run`.
pub(super) const RUN: &str = "(run)";
/// The argument of `judge`.
pub(super) const JUDGE: &str = "(judge)";

/// The functions that are given a map, and how it is called here.
const GIVEN: [(&str, &str); 4] = [("think", FACE), ("resolve", FACE), ("run", RUN), ("judge", JUDGE)];

/// The names of a script, with what each stands for.
pub(super) struct BoundNames {
    /// Each name that stands for one thing, with the path of that.
    known: BTreeMap<String, Vec<String>>,
}

impl BoundNames {
    pub(super) fn of(ast: &AST) -> Self {
        let mut names = SeenNames::default();
        for function in ast.iter_functions() {
            let given = GIVEN.iter().find(|(name, _)| *name == function.name && function.params.len() == 1);
            function.params.iter().for_each(|param| names.bind(param, given.map(|(_, given)| vec![(*given).to_owned()])));
        }
        ast.walk(&mut |path: &[ASTNode<'_>]| {
            match path.last() {
                Some(ASTNode::Stmt(Stmt::Var(var, ..))) => names.bind(&var.0.name, written_path(&var.1)),
                Some(ASTNode::Stmt(Stmt::For(each, _))) => names.bind(&each.0.name, None),
                // An assignment to a part of a value binds no name.
                Some(ASTNode::Stmt(Stmt::Assignment(assigned))) => {
                    if let Expr::Variable(name, ..) = &assigned.1.lhs {
                        names.bind(name.1.as_str(), None);
                    }
                }
                _ => {}
            }
            true
        });
        Self { known: names.0.into_iter().filter_map(|(name, path)| Some((name, path?))).collect() }
    }

    /// The path of an expression that is a chain of names, from what a function is given on; nothing where the text does not tell it.
    pub(super) fn path(&self, expr: &Expr) -> Option<Vec<String>> {
        self.whole(written_path(expr)?)
    }

    /// A path whose first name is what is given to the function, where that is known.
    pub(super) fn whole(&self, mut path: Vec<String>) -> Option<Vec<String>> {
        let is_given = |head: &str| GIVEN.iter().any(|(_, given)| *given == head);
        let mut met = BTreeSet::new();
        // A name may stand for another; one that comes again stands for nothing.
        while let Some(head) = path.first().filter(|head| !is_given(head)).cloned() {
            let stands = self.known.get(&head).filter(|_| met.insert(head))?;
            path.splice(0..1, stands.iter().cloned());
        }
        Some(path)
    }
}

/// Each name with what it stands for; nothing where that is unknown, or two things.
#[derive(Default)]
struct SeenNames(BTreeMap<String, Option<Vec<String>>>);

impl SeenNames {
    fn bind(&mut self, name: &str, path: Option<Vec<String>>) {
        let before = self.0.get(name).cloned();
        let path = path.filter(|path| before.as_ref().is_none_or(|before| before.as_ref() == Some(path)));
        self.0.insert(name.to_owned(), path);
    }
}

/// `ctx.target.address` as its words.
fn written_path(expr: &Expr) -> Option<Vec<String>> {
    match expr {
        Expr::Variable(name, ..) => Some(vec![name.1.to_string()]),
        Expr::Property(name, _) => Some(vec![name.2.to_string()]),
        Expr::Dot(both, ..) => {
            let (mut path, rest) = (written_path(&both.lhs)?, written_path(&both.rhs)?);
            path.extend(rest);
            Some(path)
        }
        _ => None,
    }
}
