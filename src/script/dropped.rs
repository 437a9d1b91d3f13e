//! Dropped: the acts that a script makes and that nobody does, because nothing returns them.
//!
//! A function of a script changes nothing but what it returns. So an act in a statement, in a loop or under a name that is never read is lost.

use std::collections::BTreeSet;

use rhai::{AST, ASTNode, BinaryExpr, Expr, FnCallExpr, Position, Stmt};

use super::doubt::{CALLS, ScriptDoubt, ScriptDoubted, line};

/// The functions of a script that make an act and are not named like one of ours, with how many arguments each takes.
type Makers = BTreeSet<(String, usize)>;

/// The methods that put a value into a list, which is no reading of the list.
const FILLS: [&str; 3] = ["push", "insert", "append"];

/// Every act of a script that is made and dropped.
pub(super) fn dropped(ast: &AST) -> Vec<ScriptDoubt> {
    let mut functions: BTreeSet<(String, usize)> = BTreeSet::new();
    functions.extend(ast.iter_functions().map(|defined| (defined.name.to_owned(), defined.params.len())));
    let named = |name: &str| functions.contains(&(name.to_owned(), 1));
    let remedy = if named("run") {
        "only the acts that `run` returns are done; put it into the list that is returned".to_owned()
    } else {
        let mind = if !named("think") && named("decide") { "decide" } else { "think" };
        format!("only what `{mind}` returns is done; write `return {{}}(…)`, and summon yourself to do another")
    };
    let bodies: Vec<((String, usize), AST)> = functions.iter().map(|of| (of.clone(), body(ast, of))).collect();
    let mut makers = Makers::new();
    // A function may make an act by another one.
    while let Some(of) = bodies.iter().find(|(of, body)| !makers.contains(of) && seen(body, true, &functions, &makers).makes) {
        makers.insert(of.0.clone());
    }
    let mut top = ast.clone();
    top.clear_functions();
    let all = bodies.iter().map(|(_, body)| (body, true)).chain([(&top, false)]);
    let found = all.flat_map(|(body, is_returned)| seen(body, is_returned, &functions, &makers).dropped);
    let told = |(name, at): (String, Position)| {
        let what = format!("the act of this `{name}` is dropped: {}", remedy.replace("{}", &name));
        ScriptDoubt { line: line(at), what, kind: ScriptDoubted::Dropped }
    };
    found.map(told).collect()
}

/// A script that has one function alone.
fn body(ast: &AST, (wanted, arity): &(String, usize)) -> AST {
    let mut body = ast.clone();
    body.retain_functions(|_, _, name, count| name == wanted && count == *arity);
    body.clear_statements();
    body
}

/// What is seen in the statements of one function, of which the last is returned, or none at the top of a script.
fn seen<'a>(body: &AST, is_returned: bool, functions: &'a BTreeSet<(String, usize)>, makers: &'a Makers) -> ActsSeen<'a> {
    let mut seen = ActsSeen { functions, makers, read: names_read(body), dropped: Vec::new(), makes: false };
    let (mut count, mut at) = (0_usize, 0_usize);
    body.walk(&mut |path: &[ASTNode<'_>]| {
        count += usize::from(path.len() == 1);
        true
    });
    body.walk(&mut |path: &[ASTNode<'_>]| {
        if let [ASTNode::Stmt(statement)] = path {
            at += 1;
            seen.statement(statement, is_returned && at == count);
        }
        true
    });
    seen
}

/// The names whose value something reads; nothing where a call may read them all.
fn names_read(body: &AST) -> Option<BTreeSet<String>> {
    let (mut read, mut is_open) = (BTreeSet::new(), false);
    body.walk(&mut |path: &[ASTNode<'_>]| {
        match path {
            [.., ASTNode::Expr(Expr::FnCall(call, _))] | [.., ASTNode::Stmt(Stmt::FnCall(call, _))] => is_open |= call.capture_parent_scope,
            [before @ .., ASTNode::Expr(variable @ Expr::Variable(name, ..))] if !is_only_filled(before, variable) => {
                read.insert(name.1.to_string());
            }
            _ => {}
        }
        true
    });
    (!is_open).then_some(read)
}

/// Whether a name stands where it is given a value, or where a value is put into its list by a statement.
fn is_only_filled(before: &[ASTNode<'_>], variable: &Expr) -> bool {
    match before {
        [.., ASTNode::Stmt(Stmt::Assignment(assigned))] => std::ptr::eq(&assigned.1.lhs, variable),
        [rest @ .., ASTNode::Expr(Expr::Dot(pair, ..))] => {
            let fills = matches!(&pair.rhs, Expr::MethodCall(call, _) if FILLS.contains(&call.name.as_str()));
            // The last statement of a block may be its value, which of these is nothing.
            fills && std::ptr::eq(&pair.lhs, variable) && matches!(rest, [.., ASTNode::Stmt(Stmt::Expr(_))])
        }
        _ => false,
    }
}

struct ActsSeen<'a> {
    functions: &'a BTreeSet<(String, usize)>,
    makers: &'a Makers,
    read: Option<BTreeSet<String>>,
    dropped: Vec<(String, Position)>,
    /// Whether an act is made whose value somebody has.
    makes: bool,
}

impl ActsSeen<'_> {
    fn block<'s>(&mut self, statements: impl Iterator<Item = &'s Stmt>, is_used: bool) {
        let mut statements = statements.peekable();
        while let Some(statement) = statements.next() {
            self.statement(statement, is_used && statements.peek().is_none());
        }
    }

    fn statement(&mut self, statement: &Stmt, is_used: bool) {
        match statement {
            Stmt::If(flow, _) => {
                self.expression(&flow.expr, true);
                self.block(flow.body.iter(), is_used);
                self.block(flow.branch.iter(), is_used);
            }
            Stmt::TryCatch(flow, _) => {
                self.block(flow.body.iter(), is_used);
                self.block(flow.branch.iter(), is_used);
            }
            Stmt::Switch(switch, _) => {
                self.expression(&switch.0, true);
                for BinaryExpr { lhs, rhs } in &switch.1.expressions {
                    self.expression(lhs, true);
                    self.expression(rhs, is_used);
                }
            }
            Stmt::While(flow, _) | Stmt::Do(flow, ..) => {
                self.expression(&flow.expr, true);
                self.block(flow.body.iter(), false);
            }
            Stmt::For(each, _) => {
                self.expression(&each.2.expr, true);
                self.block(each.2.body.iter(), false);
            }
            Stmt::Var(declared, ..) => self.expression(&declared.1, self.is_read(&declared.0.name)),
            Stmt::Assignment(assigned) => {
                let is_used = if let Expr::Variable(name, ..) = &assigned.1.lhs { self.is_read(&name.1) } else { true };
                self.expression(&assigned.1.lhs, true);
                self.expression(&assigned.1.rhs, is_used);
            }
            Stmt::FnCall(call, at) => self.call(call, *at, is_used),
            Stmt::Block(block) => self.block(block.iter(), is_used),
            Stmt::Expr(value) => self.expression(value, is_used),
            Stmt::Return(Some(value), ..) | Stmt::BreakLoop(Some(value), ..) => self.expression(value, true),
            _ => {}
        }
    }

    fn expression(&mut self, expr: &Expr, is_used: bool) {
        match expr {
            Expr::FnCall(call, at) | Expr::MethodCall(call, at) => self.call(call, *at, is_used),
            Expr::Dot(pair, ..) if !is_used && self.is_filled_in_vain(pair) => {
                if let Expr::MethodCall(call, _) = &pair.rhs {
                    call.args.iter().for_each(|value| self.expression(value, false));
                }
            }
            Expr::Dot(pair, _, at) if !is_used && is_said(&pair.rhs) => {
                let before = self.dropped.len();
                self.expression(&pair.lhs, false);
                // Words that are put to the act of a name make another act.
                if self.dropped.len() == before {
                    self.dropped.push((".saying".to_owned(), *at));
                }
            }
            Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
                self.expression(&pair.lhs, true);
                self.expression(&pair.rhs, true);
            }
            Expr::Array(items, _) => items.iter().for_each(|item| self.expression(item, is_used)),
            Expr::InterpolatedString(items, _) => items.iter().for_each(|item| self.expression(item, true)),
            Expr::Map(map, _) => map.0.iter().for_each(|(_, value)| self.expression(value, is_used)),
            Expr::Stmt(block) => self.block(block.iter(), is_used),
            Expr::And(items, _) | Expr::Or(items, _) | Expr::Coalesce(items, _) => {
                items.iter().for_each(|item| self.expression(item, is_used));
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position, is_used: bool) {
        let of = (call.name.to_string(), call.args.len());
        let is_made = if self.functions.contains(&of) { self.makers.contains(&of) } else { CALLS.contains(&of.0.as_str()) };
        if is_made && is_used {
            self.makes = true;
        } else if is_made {
            self.dropped.push((of.0, at));
        }
        call.args.iter().for_each(|value| self.expression(value, true));
    }

    fn is_read(&self, name: &str) -> bool {
        self.read.as_ref().is_none_or(|read| read.contains(name))
    }

    /// Whether a value is put into a list that nobody reads.
    fn is_filled_in_vain(&self, BinaryExpr { lhs, rhs }: &BinaryExpr) -> bool {
        let fills = matches!(rhs, Expr::MethodCall(call, _) if FILLS.contains(&call.name.as_str()));
        fills && matches!(lhs, Expr::Variable(name, ..) if !self.is_read(&name.1))
    }
}

/// Whether words are put to an act.
fn is_said(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(call, _) => call.name == "saying",
        Expr::Dot(pair, ..) => is_said(&pair.rhs),
        _ => false,
    }
}
