//! The tests, in reading order, one question each.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that stops there has found something"
)]

mod ahead;
mod ahead_law;
mod ahead_faults;
mod house;

mod rooms;

mod codes;

mod docs;
mod worlds;
mod inline;
mod mistakes;
mod english;
mod commands;
mod package;
mod keeping;
mod schema;
mod cookbook;

mod terminal;

mod faulty;
mod faults;
mod outage;

mod served;

mod described;
mod spelled;

mod cbor;

mod portal;

mod siege;

mod doors;
mod hangup;
mod printed;
mod entering;
mod cookies;

mod mcp;
mod moved;
mod reference;
mod refusals;
mod together;
mod tokens;
mod many;
mod told;
mod threads;
mod frozen;
mod claims;
mod editors;
mod keeper;
mod golden;
mod life;

mod trial;
mod turned_away;

mod brakes;
mod breaks;
mod bridge;
mod outbox;
mod hook;
mod desk;
mod browser;
mod parts;
mod ci;

mod crash;
mod crowd;

mod flip;
mod fork;

mod forge;

mod relive;
mod remembered;

mod format;

mod providers;

mod verifier;

mod proof;

mod backup;
mod batch;
mod benches;
mod beside;

mod checkpoint;
mod past;
mod anchor;
mod archive;
mod cut;
mod anew;
mod offered;
mod once;
mod otherwise;
mod bisect;
mod bundle;
mod copies;
mod limited;
mod limits;
mod lines;
mod holdings;
mod point;
mod points;
mod underway;
mod laddered;
mod rehearse;
mod interview;
mod sweep;
mod step;
mod diff;
mod timeline;
mod plan;
mod foresee;
mod why;
mod with;
mod upgrade;

mod cli;

mod heard;
mod hostile;
mod tables;

mod snapshot;

mod loss;

mod garbage;

mod fuzz;

mod replay;
mod replied;

mod fading;

mod watch;

mod emotions;

mod kit;

mod canon;
mod cards;

mod change;

mod seal;

mod lanes;
mod law;

mod measured;
mod meant;
mod numbers;
mod tell;
mod page_told;
mod pages;
mod series;

mod mind;

mod drafts;

mod budget;

mod endpoint;

mod cassette;

mod real_model;

mod local;

mod worn;

mod guarded;

mod lent;

mod extension_add;

mod authored;

mod checked;
mod cron;
mod given;
mod sheets;

mod measure;

mod receipt;
mod forged;
mod copy;
mod machines;
mod unanswered;

mod ask;

mod panel;

mod unread;
mod unsigned;
mod raw;
mod killed;

mod story;

mod scripts;

mod prefix;
mod press;
mod price;

mod gate;

mod ground;

mod rounds;

mod rules;

mod scenes;

mod scopes;

mod settings;

mod wound;

mod bounds;

mod near;
mod words;

mod compare;
mod notebook;
mod newcomer;
