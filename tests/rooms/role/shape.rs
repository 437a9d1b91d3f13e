//! Tests of `src/role/shape.rs`.

use reelm::role::Flow;
use reelm::role::Spec;
use reelm::role::shape::*;
use reelm::role::spec::KEYS;

#[test]
fn the_examples_are_a_role_and_a_flow_and_every_key_is_named() {
    Spec::from_value(&serde_json::from_str(ROLE).unwrap()).unwrap();
    Flow::compile(&serde_json::from_str(FLOW).unwrap()).unwrap();
    assert!(KEYS.iter().all(|key| role_shape().contains(key)));
}
