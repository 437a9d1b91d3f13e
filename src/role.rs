//! Role: what a being may and is for, and the flow that chooses at every moment what it wears (floor 3).
//!
//! In reading order: [`glob`], [`relation`] and [`entry`] say what a can* list allows, [`spec`] is one role, [`source`] how people write it
//! and [`wardrobe`] where the registered ones are asked for; [`path`] is what a condition may ask about, [`seen`] what it finds there and
//! [`context`] a moment given as JSON; [`operator`] and [`operand`] make one [`condition`], [`when`] compiles many, [`flow`] compiles the
//! clauses, [`walk`] is the one walk over them, [`stack`] what it comes to and [`trace`] the walk that remembers why; [`time`] and [`fade`] say when
//! a flow's answer can change by itself, [`mod@lint`] what its author may not have meant, with [`mod@lint_watch`] for what a role watches, and [`mod@compose`] makes one worn role of a stack.
//! [`template`] fills the places in a prompt in. [`name`] is the grammar of names and the nearest word to a mistyped one, [`found`] a value
//! as an error names it.
//!
//! Nothing here knows the world: a moment comes in through [`Context`], the registered roles through [`Wardrobe`].

mod compose;
mod condition;
mod context;
mod entry;
mod fade;
mod flow;
mod found;
mod glob;
#[cfg(test)]
mod laws;
mod lint;
mod lint_watch;
mod name;
mod operand;
mod operator;
mod path;
mod relation;
mod seen;
mod source;
mod spec;
mod stack;
mod template;
mod time;
mod trace;
mod walk;
mod wardrobe;
mod when;

pub use compose::{MODE_FRAME, Worn, compose};
pub use context::{JsonContext, JsonWardrobe};
pub use entry::{Entry, SIGNAL_SET};
pub use fade::{Fades, Passing};
pub use flow::{Flow, FlowError};
pub use glob::{Glob, GlobError};
pub use lint::{Basis, LintCode, Warning, lint, lint_spec};
pub use lint_watch::lint_watch;
pub use name::nearest;
pub use operator::{Operator, Takes};
pub use path::{Path, PathError};
pub use relation::Rel;
pub use seen::{Context, Seen};
pub use spec::{RoleError, Spec};
pub use stack::{By, Choice, Outcome, Own, Stack};
pub use template::{check_template, fill_template};
pub use time::TimeReads;
pub use trace::{ClauseTrace, ConditionTrace, RoleTrace, Trace};
pub use wardrobe::Wardrobe;
