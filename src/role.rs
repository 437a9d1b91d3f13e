//! Role: what a being may and is for, and the flow that chooses at every moment what it wears (floor 3).
//!
//! In reading order: [`glob`], [`relation`] and [`entry`] say what a can* list allows, [`narrow`] whether one allows no more than another, [`spec`] is one role, [`source`] how people write it
//! and [`wardrobe`] where the registered ones are asked for; [`path`] is what a condition may ask about, [`seen`] what it finds there and
//! [`context`] a moment given as JSON; [`operator`] and [`operand`] make one [`condition`], [`when`] compiles many, [`reads`] is what of them wakes, [`flow`] compiles the
//! clauses, [`guard`] a role's own, [`walk`] is the one walk over them, [`stack`] what it comes to and [`trace`] the walk that remembers why; [`time`] and [`fade`] say when a
//! flow's answer can change by itself, [`own`] what of it a being may write itself, [`mod@lint`] what its author may not have meant, with [`mod@lint_watch`] for what a role watches, and [`mod@compose`] makes one worn role of a stack.
//! [`words`] is what its wearer is told in the roles' own words, and [`template`] fills the places in a prompt in. [`name`] is the grammar of names and the nearest word to a mistyped one, [`hint`] what a
//! mistyped path may stand for, [`found`] a value as an error names it. [`schema`] is the JSON Schema of all that, for editors. [`judge`] is a rule, compiled, and [`party`] what it may ask about a deed; [`petition`] says on which requests to the outside somebody has to approve, and [`requested`] what that may ask; [`inquiry`] is a condition that is asked of the past, and [`bygone`] what it may ask of a moment there.
//!
//! Nothing here knows the world: a moment comes in through [`Context`], the registered roles through [`Wardrobe`].

mod bygone;
#[doc(hidden)]
pub mod compose;
#[doc(hidden)]
pub mod condition;
mod context;
#[doc(hidden)]
pub mod entry;
#[doc(hidden)]
pub mod fade;
#[doc(hidden)]
pub mod flow;
mod found;
#[doc(hidden)]
pub mod glob;
mod guard;
mod hint;
#[doc(hidden)]
pub mod inquiry;
#[doc(hidden)]
pub mod judge;
mod lint;
mod lint_watch;
#[doc(hidden)]
pub mod name;
#[doc(hidden)]
pub mod narrow;
#[doc(hidden)]
pub mod operand;
#[doc(hidden)]
pub mod operator;
mod own;
mod party;
mod petition;
#[doc(hidden)]
pub mod path;
mod reads;
mod requested;
#[doc(hidden)]
pub mod relation;
mod schema;
#[doc(hidden)]
pub mod seen;
#[doc(hidden)]
pub mod shape;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod spec;
mod stack;
#[doc(hidden)]
pub mod template;
#[doc(hidden)]
pub mod time;
mod trace;
mod walk;
#[doc(hidden)]
pub mod wardrobe;
mod when;
#[doc(hidden)]
pub mod words;

pub use bygone::Bygone;
pub use compose::{Lent, Worn, compose};
pub use condition::Condition;
pub use context::{JsonContext, JsonWardrobe};
pub use entry::{Entry, SIGNAL_SET};
pub use fade::{Fades, Passing};
pub use flow::{Flow, FlowError};
pub use glob::{Glob, GlobError};
pub use guard::Guard;
pub use inquiry::{Inquiry, InquiryError, when_of};
pub use judge::Judge;
pub use lint::{Basis, Guards, LintCode, Warning, lint, lint_guard, lint_spec, one_brace, operator_meant};
pub use lint_watch::{lint_unseen, lint_watch};
pub use name::{did_you_mean, distance, may_mean, or_may_mean, or_meant};
pub use operand::Operand;
pub use operator::{Operator, Takes};
pub use own::Overreach;
pub use party::{Aspect, Party};
pub use path::{Path, PathError, overlap};
pub use petition::Petition;
pub use reads::Reads;
pub use relation::Rel;
pub use requested::Requested;
pub use schema::flow_schema;
pub(crate) use schema::{ConditionBelow, DoEntry, FlowClauses, FlowWhen, OpenWhen, RoleName, RuleWhen, SpaceClauses};
pub use seen::{Context, Seen};
pub use shape::{flow_shape, role_shape};
pub use spec::{RoleError, Spec};
pub use stack::{By, Choice, Outcome, Own, Stack};
pub use template::{check_template, fill_template, template_paths};
pub use time::TimeReads;
pub use trace::{ClauseTrace, ConditionTrace, RoleTrace, SpaceTrace, Trace};
pub use walk::Around;
pub use wardrobe::Wardrobe;
pub use words::{Layer, within_block};
