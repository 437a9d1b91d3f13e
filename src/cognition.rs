//! Cognition: a face becomes a thought (floor 8).
//!
//! [`script`] asks a Rhai script, [`panel`] other beings. [`llm`] makes one request to a language model of a face by a [`connection`], [`bridge`] one to the [`web`], or by a [`hook`], of what it was asked (of a page it tells the [`mod@page_text`]; somebody may have to approve it, by [`approval_terms`], and reads the words of a [`mod@petition`]), each by [`outside`], or says why nobody is [`mod@unasked`]; whose words are in
//! [`mod@prompt`], and hears the [`mod@reply`], whose [`upshot`] says by what its [`status_means`] whether it can be heard at all and of which [`mod@understand`] makes a call, in whichever [`spelling`] it stands [`in_text`], and [`mod@spoken_words`] what is said; the run carries the one out and brings the other. A prompt is
//! why the moment was [`woken`], what is [`near`] at a [`glance`], in a [`block`] each within its budget, and the [`abilities`] and [`tools`]
//! that there are; [`mod@split`] says afterwards what each part took. [`mod@ability`] tells the same abilities to models outside, and [`mod@look`] what they see. [`ways`] tries an operation's schema, by [`samples`], in each way of asking. People come with the served world.

mod abilities;
mod ability;
mod afar;
mod approval_terms;
mod ballot;
#[doc(hidden)]
pub mod block;
#[doc(hidden)]
pub mod bridge;
mod calls;
mod connection;
mod glance;
mod hook;
mod in_text;
mod levels;
mod llm;
mod look;
mod near;
mod nearest;
mod net;
#[doc(hidden)]
pub mod offers;
mod outside;
#[doc(hidden)]
pub mod page_text;
mod panel;
mod per_span;
mod petition;
mod prompt;
mod quotation;
#[doc(hidden)]
pub mod reply;
mod resolvers;
#[doc(hidden)]
pub mod samples;
mod script;
#[doc(hidden)]
pub mod spelling;
mod split;
#[doc(hidden)]
pub mod status_means;
mod spoken_words;
mod tools;
mod unasked;
#[doc(hidden)]
pub mod understand;
mod upshot;
#[doc(hidden)]
pub mod ways;
mod woken;
mod web;
mod words_reach;

pub use ability::{Abilities, Ability};
pub use connection::{Connection, Price, Tools};
pub use hook::{Hook, SigningManner};
pub use llm::{ATTEMPTS, NO_JSON, Request, afford, messages, wrote};
pub use look::{LookWords, Looker};
pub use outside::{hear, request};
pub use panel::deliberate;
pub use per_span::PerSpan;
pub use prompt::{Prompt, prompt};
pub use reply::{Asking, Reply};
pub use script::{think, to_call};
pub use split::{PromptPart, split};
pub use spoken_words::spoken_words;
pub use unasked::{Unasked, unasked};
pub use understand::{ReplyContext, Understood, tool_arguments, understand};
pub use upshot::{FAULTS, Upshot};
pub use ways::{WayFault, ways_failed};
pub use web::Web;
pub use woken::refused_words;
