//! Portal: the world over HTTP, and the page that people use (floor 11): everything it does, it does by the four verbs as some being.
//!
//! In reading order, the ground first: [`origin`] says from where a request comes, [`crowd`] whose connections give way, and [`lines`] are
//! those connections. [`people`] come in by passwords, programs by [`tokens`], some at a [`token_rate`]; [`kept`] are the files of both, [`cookies`] say how a browser is known. [`who`] says whose a
//! request is, [`sight`] what that being sees, [`entrance`] how a request comes in, [`enter`] how a browser on this machine does; [`trouble`] is the one shape of errors, [`vital`] what is held back in the world.
//!
//! [`hall`] is what all who answer share: the world that runs, the entrance, and the counts of [`tries`] at passwords, [`refusals`],
//! [`streams`], [`tabs`] that drive beings, acts done [`once`], webhooks that [`came_in`], [`sums`] of what models cost. By [`gesture`] something is done to the
//! world; [`sent`] is a request as those who answer are given it; [`cbor`] is the API in that format.
//!
//! Above it stand those who answer. [`act`] are the four verbs, [`seat`] drives beings from tabs, [`apply`] stamps a changed source, [`incoming`] takes webhooks in;
//! [`world`] with what is [`measured`], [`drawn`] on a [`plan`] (with [`slice`]) and worth [`trying`], with who is at what ([`claims`]), [`thing`], [`moments`] with their [`pulse`], [`many`] who are in one place, [`roles`], [`books`], [`cost`], [`settings`], the [`timeline`] with what was [measured then](measured_then) along it ([`series`]), what lies [`ahead`], [`lanes`], [`diff`] and [`mod@step`] are what one reads, [`drafts`] says what publishing one would change, [`abilities`] what one may do, [`outside`] what a model outside is told, [`mod@changes`] where something is otherwise, [`trial`] tries a draft, with a model by
//! [`paid`] replies, and [`foresee`] lives the last day with it; [`words`] is what the page asks instead of knowing it, [`shapes`] describe what lower rooms tell. [`session`] lets
//! people in, [`programs`] makes and takes back tokens; [`page`] is the page. [`worlds`] are those of one server, which lie at one [`fork_place`], and [`mod@fork`] makes one more of them. [`threshold`] turns away what is too much, by [`rate`] and
//! [`share`]; [`routes`] says what is where, [`spelled`] how points and addresses are written; [`server`] listens, also on the [`socket`] beside the world's files.

mod abilities;
#[doc(hidden)]
pub mod act;
mod ahead;
mod apply;
mod books;
mod came_in;
#[doc(hidden)]
pub mod cbor;
mod changes;
mod claims;
mod clocks;
#[doc(hidden)]
pub mod cookies;
mod copy;
mod cost;
mod diff;
#[doc(hidden)]
pub mod few;
mod fork;
#[doc(hidden)]
pub mod fork_place;
mod foresee;
#[doc(hidden)]
pub mod crowd;
mod drafts;
mod drawn;
#[doc(hidden)]
pub mod enter;
#[doc(hidden)]
pub mod entrance;
mod gesture;
#[doc(hidden)]
pub mod hall;
mod incoming;
#[doc(hidden)]
pub mod kept;
mod lanes;
mod made;
mod many;
#[doc(hidden)]
pub mod lines;
mod measured;
mod measured_then;
mod moments;
mod now;
mod numbers;
#[doc(hidden)]
pub mod once;
#[doc(hidden)]
pub mod origin;
mod outside;
mod page;
mod paid;
#[doc(hidden)]
pub mod people;
#[doc(hidden)]
pub mod plan;
mod programs;
#[doc(hidden)]
pub mod pulse;
mod queries;
#[doc(hidden)]
pub mod rate;
#[doc(hidden)]
pub mod refusals;
mod retry;
mod roles;
mod routes;
#[doc(hidden)]
pub mod seat;
mod sent;
mod series;
mod server;
mod session;
mod settings;
mod shapes;
#[doc(hidden)]
pub mod share;
mod sight;
mod slice;
mod socket;
mod spelled;
mod step;
mod streams;
#[doc(hidden)]
pub mod tabs;
mod thing;
mod threshold;
mod timeline;
#[doc(hidden)]
pub mod token_rate;
#[doc(hidden)]
pub mod tokens;
mod trial;
#[doc(hidden)]
pub mod tries;
mod trouble;
mod trying;
mod vital;
mod waits;
mod who;
#[doc(hidden)]
pub mod words;
mod why;
mod world;
mod worlds;

pub use act::read_wake;
pub use drafts::{DraftReview, FoundDraft, WouldWear};
pub use entrance::Doors;
pub use origin::Trust;
pub use people::now;
pub use programs::{LASTS_MS, ListedToken, terms};
pub use routes::{DoorBeside, api};
pub use server::{BrowserStart, Keeping, Listener, Listening, ServeError, Served, ServedWorld, serve};
pub use thing::{UnansweredQuestion, inbox_of, unanswered_of};
pub use token_rate::TokenRate;
pub use tokens::{Token, Tokens, Wanted};
pub use trial::Backtested;
pub use who::{is_person, no_person, person};
