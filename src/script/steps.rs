//! StepLog: a script as it goes: each statement with the variables that it changed, for whoever tries one. A world that runs has none of it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rhai::debugger::{DebuggerCommand, DebuggerEvent};
use rhai::{ASTNode, Dynamic, Engine, EvalContext, Position, Scope};
use serde::Serialize;

use crate::fact::{Text, plain};

use super::convert::to_value;

/// The most steps that are kept, and the longest that a variable is told, in characters.
const STEPS: usize = 500;
const LETTERS: usize = 200;
/// The longest that a line of a script is told, in characters.
const LINE_MAX: usize = 80;

/// One statement that was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScriptStep {
    /// The file.
    pub file: Text,
    /// Its line, from 1.
    pub line: usize,
    /// The text of that line.
    pub source: String,
    /// How many calls of functions lie around it.
    pub depth: usize,
    /// The variables that it made or changed, by name, as text.
    pub changed: BTreeMap<String, String>,
}

/// The steps of the scripts of a moment.
#[derive(Clone, Default)]
pub(super) struct StepLog(Arc<Mutex<Stepping>>);

#[derive(Default)]
struct Stepping {
    file: Text,
    source: Text,
    done: Vec<ScriptStep>,
    left_out: u64,
    /// The calls that are open, the outermost first.
    calls: Vec<OpenCall>,
}

/// One call of a function: the line that it is at, and its variables before that.
#[derive(Default)]
struct OpenCall {
    line: usize,
    variables: BTreeMap<String, String>,
}

impl StepLog {
    /// Has an engine say each of its steps.
    pub fn watch(&self, engine: &mut Engine) {
        let steps = self.clone();
        let heard = move |mut context: EvalContext<'_, '_, '_, '_, '_, '_>,
                          event: DebuggerEvent<'_>,
                          node: ASTNode<'_>,
                          _: Option<&str>,
                          at: Position| {
            let level = context.call_level();
            let is_over = matches!(event, DebuggerEvent::FunctionExitWithValue(_) | DebuggerEvent::FunctionExitWithError(_));
            steps.0.lock().unwrap_or_else(PoisonError::into_inner).hear(level, (&node, at), is_over, context.scope_mut());
            Ok(DebuggerCommand::StepInto)
        };
        #[expect(deprecated, reason = "it is not deprecated, says the engine, but may change with a new version")]
        engine.register_debugger(|_, debugger| debugger, heard);
    }

    /// Another script begins.
    pub fn begin(&self, file: &Text, source: &Text) {
        let mut going = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (going.file, going.source) = (file.clone(), source.clone());
        going.calls.clear();
    }

    /// All steps so far, and how many were too many to be kept.
    pub fn take(&self) -> (Vec<ScriptStep>, u64) {
        let mut going = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (std::mem::take(&mut going.done), std::mem::take(&mut going.left_out))
    }
}

impl Stepping {
    /// Notes the statement that is about to run: by it the statement before it in the same call is over.
    fn hear(&mut self, level: usize, (node, at): (&ASTNode<'_>, Position), is_over: bool, scope: &Scope<'_>) {
        let line = at.line().unwrap_or(0);
        self.calls.truncate(level + 1);
        self.calls.resize_with(level + 1, OpenCall::default);
        let Some(call) = self.calls.last() else { return };
        // Of one statement in several lines each line is a step; in one line only a new statement is.
        if !is_over && (line == 0 || (line == call.line && matches!(node, ASTNode::Expr(_)))) {
            return;
        }
        self.end(level, scope);
        match self.calls.last_mut() {
            Some(_) if is_over => drop(self.calls.pop()),
            Some(call) => call.line = line,
            None => {}
        }
    }

    /// The statement of the innermost call is over: it has changed what is not as it was.
    fn end(&mut self, level: usize, scope: &Scope<'_>) {
        let Some(call) = self.calls.last_mut() else { return };
        if self.done.len() >= STEPS {
            self.left_out += 1;
            return;
        }
        let variables: BTreeMap<String, String> = scope.iter_raw().map(|(name, _, value)| (name.to_owned(), told(value))).collect();
        let is_new = |(name, value): &(&String, &String)| call.variables.get(*name) != Some(*value);
        // The arguments of a function are known before its first statement, and are no change.
        if call.line > 0 {
            let changed = variables.iter().filter(is_new).map(|(name, value)| (name.clone(), value.clone())).collect();
            let source = line_of(&self.source, call.line);
            self.done.push(ScriptStep { file: self.file.clone(), line: call.line, source, depth: level, changed });
        }
        call.variables = variables;
    }
}

/// A line of a script, from 1, without the spaces around it.
fn line_of(source: &str, line: usize) -> String {
    let text: String = plain(source.lines().nth(line.saturating_sub(1)).unwrap_or_default()).collect();
    let text = without_head(text.trim());
    if text.chars().count() <= LINE_MAX { text.to_owned() } else { text.chars().take(LINE_MAX - 1).chain(['…']).collect() }
}

/// A line without the head that a script of a world.toml is given: `fn think(face) { let me = face.me; … `. Nobody wrote that there.
fn without_head(line: &str) -> &str {
    let Some((head, mut rest)) = line.strip_prefix("fn ").and_then(|line| line.split_once(") { ")) else { return line };
    let given = head.rsplit('(').next().unwrap_or_default();
    let behind_bound = |text: &'_ str| {
        let (name, _) = text.strip_prefix("let ")?.split_once(" = ")?;
        Some(text.len() - text.strip_prefix(&format!("let {name} = {given}.{name}; "))?.len())
    };
    while let Some(next) = behind_bound(rest).and_then(|len| rest.get(len..)) {
        rest = next;
    }
    if rest.is_empty() { line } else { rest }
}

/// A value as it is told: what is none of ours by its type.
fn told(value: &Dynamic) -> String {
    let text = to_value(value.clone()).map_or_else(|_| value.type_name().to_owned(), |value| value.to_string());
    let mut letters = plain(&text);
    let short: String = letters.by_ref().take(LETTERS).collect();
    if letters.next().is_some() { short + "…" } else { short }
}
