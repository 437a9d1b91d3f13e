//! River: the small measurements, by criterion: one evaluation of a flow, one moment from open to fold; allocations are counted.
//!
//! Measurements that need a disk and whole worlds are in `reelm bench`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "a measurement may stop where it stands")]

use std::hint::black_box;

use allocation_counter::measure;
use criterion::{Criterion, criterion_group, criterion_main};
use reelm::bench::{Ground, with_context};
use reelm::fact::{Cognition, Text, simulated};
use reelm::role::{Own, Stack};
use reelm::run::{Engine, Next};
use reelm::world::Registered;

fn flow(c: &mut Criterion) {
    let ground = Ground::new(&std::env::temp_dir()).unwrap();
    with_context(&ground, |world, context, flow| {
        let (wardrobe, default, mut stack) =
            (Registered { world, at: reelm::fact::SpaceId::ROOT }, Text::from("citizen"), Stack::default());
        let own = Own { default_role: Some(&default), cognition: Cognition::Script, requested: None };
        flow.evaluate(context, &wardrobe, &own, &mut stack);
        let made =
            measure(|| (0..1_000).for_each(|_| flow.evaluate(black_box(context), &wardrobe, &own, black_box(&mut stack)))).count_total;
        println!("flow of five clauses: {made} allocations in 1,000 evaluations");
        assert_eq!(made, 0, "an evaluation must not allocate");
        c.bench_function("flow of five clauses", |b| b.iter(|| flow.evaluate(black_box(context), &wardrobe, &own, black_box(&mut stack))));
    })
    .unwrap();
}

fn moment(c: &mut Criterion) {
    let ground = Ground::new(&std::env::temp_dir()).unwrap();
    let source = ground.town(100, false).unwrap();
    let (world, _sealer) = ground.plant(&source, "moment", 1).unwrap();
    let (master, _) = simulated(&source.name, source.seed);
    let mut engine = Engine::new(world, master, 1);
    let mut round = || {
        let Next::At(at) = engine.next() else { panic!("the town has fallen quiet") };
        engine.round(at, &mut |closed, _| drop(black_box(closed))).unwrap();
    };
    (0..1_000).for_each(|_| round());
    println!("a moment, unsealed: {} allocations", measure(|| (0..1_000).for_each(|_| round())).count_total / 1_000);
    c.bench_function("a moment from open to fold, unsealed", |b| b.iter(&mut round));
}

criterion_group!(river, flow, moment);
criterion_main!(river);
