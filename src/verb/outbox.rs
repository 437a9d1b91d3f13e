//! Outbox: the requests to the outside that wait to be approved, as `see /.outbox` shows them, with the very bytes that would leave.

use crate::fact::{BeingId, Thing, Value};
use crate::world::{World, address_of};

use super::right::is_operator;

/// The requests that wait, the first to expire first. The approver and the asker are shown theirs. The operator, and a
/// reader who is nobody in the world, are shown all.
pub fn outbox(world: &World, reader: Option<BeingId>) -> Vec<Value> {
    let may = |asker: Option<BeingId>, by: BeingId| {
        reader.is_none_or(|reader| reader == by || asker == Some(reader) || is_operator(world, reader))
    };
    let mut open: Vec<_> = world.approvals().filter(|(_, wake, approval)| may(wake.caller(), approval.by)).collect();
    open.sort_by_key(|(bridge, wake, approval)| (approval.until, *bridge, wake.id.cause));
    let told = open.into_iter().map(|(_, _, approval)| {
        let Value::Map(mut told) = (*approval.told).clone() else { return Value::Null };
        told.insert("by".into(), Value::from(address_of(world, Thing::Being(approval.by))));
        told.insert("until".into(), Value::Int(approval.until));
        Value::Map(told)
    });
    told.collect()
}
