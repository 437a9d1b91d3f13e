//! Error: the failures of a script, in codes of our own: a library's text never reaches a seal.

use rhai::{EvalAltResult, ParseError, ParseErrorType, Position};

use crate::fact::{Code, plain};

use super::doubt::{ScriptDoubt, ScriptDoubted};

/// Why a script gave no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It cannot be compiled.
    #[error("{}{}: not a script: {reason}", at(file, *line), if *column > 0 { format!(":{column}") } else { String::new() })]
    Syntax {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// The column; 0 where none is known.
        column: u32,
        /// The compiler's message, for people.
        reason: String,
    },
    /// The function that is called is not in it.
    #[error("{file}: expected a function `{function}` of {arity} arguments; write one")]
    Missing {
        /// The file.
        file: String,
        /// The function.
        function: String,
        /// How many arguments it takes.
        arity: usize,
    },
    /// It failed.
    #[error("{}: {code}: {reason}", at(file, *line))]
    Failed {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// Our code for it.
        code: Code,
        /// The engine's message, for people.
        reason: String,
        /// The text that the script threw itself, or the refusal of a question that it asked.
        thrown: Option<String>,
    },
    /// It wanted more than it may have.
    #[error("{}: {code}: the script needs more than it may have; do less in one moment", at(file, *line))]
    Limit {
        /// The file.
        file: String,
        /// The line.
        line: u32,
        /// Which limit.
        code: Code,
    },
    /// The engine itself failed; nothing of the call is kept.
    #[error("{file}: the script engine failed; this is a fault of the engine, write the script another way")]
    Engine {
        /// The file.
        file: String,
    },
    /// A stop ended it; nothing of its round is kept.
    #[error("{file}: the run was stopped while the script ran; nothing of it is kept")]
    Stopped {
        /// The file.
        file: String,
    },
    /// It returned something that is no value.
    #[error("{file}: expected a value, found {found} at `{path}`")]
    Result {
        /// The file.
        file: String,
        /// What it returned.
        found: String,
        /// Where in it.
        path: String,
    },
}

/// A file and a line of it; 0 where none is known.
fn at(file: &str, line: u32) -> String {
    if line == 0 { file.to_owned() } else { format!("{file}:{line}") }
}

/// How a name stands at the top of a script.
pub(super) enum TopName {
    /// By `const`.
    Constant,
    /// By `let`.
    Variable,
}

/// The longest text that a script may throw.
const THROWN_MAX: usize = 200;

impl ScriptError {
    /// Our code for it.
    pub fn code(&self) -> Code {
        match self {
            Self::Syntax { .. } => Code::ScriptSyntax,
            Self::Missing { .. } => Code::ScriptFunction,
            Self::Failed { code, .. } | Self::Limit { code, .. } => *code,
            Self::Result { .. } => Code::ScriptResult,
            Self::Engine { .. } | Self::Stopped { .. } => Code::ScriptEngine,
        }
    }

    /// The line, where there is one.
    pub fn line(&self) -> Option<u32> {
        match self {
            Self::Syntax { line, .. } | Self::Failed { line, .. } | Self::Limit { line, .. } => Some(*line).filter(|line| *line > 0),
            Self::Missing { .. } | Self::Result { .. } | Self::Engine { .. } | Self::Stopped { .. } => None,
        }
    }

    /// The column, where there is one.
    pub fn column(&self) -> Option<u32> {
        if let Self::Syntax { column, .. } = self { Some(*column).filter(|column| *column > 0) } else { None }
    }

    /// The same in a text of which so many letters stand before it on its first line.
    #[must_use]
    pub fn behind(self, letters: u32) -> Self {
        match self {
            Self::Syntax { file, line: 1, column, reason } => {
                Self::Syntax { file, line: 1, column: column.saturating_sub(letters), reason }
            }
            other => other,
        }
    }

    /// The file, and the line where there is one.
    pub fn place(&self, file: &str) -> String {
        at(file, self.line().unwrap_or(0))
    }

    /// The text that the script threw itself.
    pub fn thrown(&self) -> Option<&str> {
        if let Self::Failed { thrown, .. } = self { thrown.as_deref() } else { None }
    }

    /// The same with what to write instead of what a face does not have, where that is why it failed.
    pub(super) fn cured(self, doubts: impl FnOnce() -> Vec<ScriptDoubt>) -> Self {
        match self {
            Self::Failed { file, line, code: code @ (Code::ScriptType | Code::ScriptUnknownProperty), reason, thrown } => {
                let mut faces: Vec<ScriptDoubt> =
                    doubts().into_iter().filter(|doubt| matches!(doubt.kind, ScriptDoubted::Key(..))).collect();
                faces.sort_by_key(|doubt| doubt.line != line);
                let reason = match faces.first() {
                    Some(doubt) if doubt.line == line => doubt.what.clone(),
                    Some(doubt) => format!("{reason}; line {}: {}", doubt.line, doubt.what),
                    None => reason,
                };
                Self::Failed { file, line, code, reason, thrown }
            }
            other => other,
        }
    }

    /// A script that does not compile; `at_top` is asked how a name stands at its top.
    pub(super) fn syntax(error: &ParseError, file: &str, at_top: impl FnOnce(&str) -> Option<TopName>) -> Self {
        let hint = match error.err_type() {
            ParseErrorType::VariableUndefined(name) if name == "world" => "; read a signal as `signal(\"path\")`".to_owned(),
            ParseErrorType::VariableUndefined(name) => match at_top(name) {
                Some(TopName::Constant) => format!("; a constant at the top of a script is named `global::{name}` inside a function"),
                Some(TopName::Variable) => format!(
                    "; no function knows a `let` at the top of a script; write `const {name}` there, and `global::{name}` inside a function"
                ),
                None => {
                    "; a text stands in quotes, a name is given by `let`, and an anonymous function sees only its own arguments".to_owned()
                }
            },
            _ => String::new(),
        };
        let at = error.position();
        let column = at.position().and_then(|column| u32::try_from(column).ok()).unwrap_or(0);
        Self::Syntax { file: file.to_owned(), line: line(at), column, reason: format!("{}{hint}", error.err_type()) }
    }

    pub(super) fn spent(file: &str) -> Self {
        Self::Limit { file: file.to_owned(), line: 0, code: Code::ScriptLimitOperations }
    }

    pub(super) fn running(error: &EvalAltResult, file: &str) -> Self {
        use EvalAltResult as E;
        let inner = error.unwrap_inner();
        let at = if inner.position().is_none() { error.position() } else { inner.position() };
        let (file, line) = (file.to_owned(), line(at));
        let code = match inner {
            E::ErrorTooManyOperations(..) | E::ErrorTerminated(..) => return Self::Limit { file, line, code: Code::ScriptLimitOperations },
            E::ErrorStackOverflow(..) => return Self::Limit { file, line, code: Code::ScriptLimitDepth },
            E::ErrorDataTooLarge(..) => return Self::Limit { file, line, code: Code::ScriptLimitSize },
            E::ErrorTooManyVariables(..) | E::ErrorTooManyModules(..) => {
                return Self::Limit { file, line, code: Code::ScriptLimit };
            }
            E::ErrorRuntime(..) => Code::ScriptThrow,
            E::ErrorVariableNotFound(..) | E::ErrorForbiddenVariable(..) | E::ErrorUnboundThis(..) => Code::ScriptUnknownVariable,
            E::ErrorPropertyNotFound(..) | E::ErrorIndexNotFound(..) => Code::ScriptUnknownProperty,
            E::ErrorFunctionNotFound(..) | E::ErrorModuleNotFound(..) => Code::ScriptUnknownFunction,
            E::ErrorMismatchDataType(..)
            | E::ErrorMismatchOutputType(..)
            | E::ErrorIndexingType(..)
            | E::ErrorFor(..)
            | E::ErrorDotExpr(..) => Code::ScriptType,
            E::ErrorArrayBounds(..) | E::ErrorStringBounds(..) | E::ErrorBitFieldBounds(..) => Code::ScriptBounds,
            E::ErrorArithmetic(..) => Code::ScriptArithmetic,
            _ => Code::ScriptFailed,
        };
        let thrown = if let E::ErrorRuntime(value, _) = inner { Some(plain(&value.to_string()).take(THROWN_MAX).collect()) } else { None };
        Self::Failed { file, line, code, reason: inner.to_string(), thrown }
    }
}

fn line(at: Position) -> u32 {
    at.line().and_then(|line| u32::try_from(line).ok()).unwrap_or(0)
}
