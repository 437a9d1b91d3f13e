//! Petition: the words by which whoever has to approve a request to the outside is asked, with the very bytes that would leave.

use crate::fact::{Value, says};

use super::glance::page;

/// The question, and how it is answered.
pub(super) fn petition(told: &Value) -> String {
    let text = |key: &str| told.get(key).and_then(Value::as_str).unwrap_or_default();
    let args = Value::map([("wake", Value::text(text("wake"))), ("request", Value::text(text("request")))]);
    let (bridge, asker) = (text("bridge"), text("asker"));
    let head = format!(
        "{asker} asks for something from outside, and you decide whether it leaves. Do `wake.approve` on {bridge} with {args} to let it leave; do \
         `wake.decline` on {bridge} with the same and `why` to keep it back. {bridge} would send"
    );
    says(&head, &page(&Value::text(text("bytes"))))
}
