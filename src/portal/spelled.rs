//! Spelled: how an address, a moment and a point of the past are written, as the description of the API says it.
//!
//! A text that a pattern does not fit is refused. One that fits may still name nothing.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::verb::ADDRESS_MAX;

/// An address.
pub struct AddressShape;
/// A moment by its seq, or by its being and its place on the reel.
pub struct MomentNameShape;
/// A point of the past.
pub struct PointShape;

const ADDRESS: &str = r"^(/|\.|~|@[^@]|[bsm][0-9])[^\s\u0000-\u001f\u007f-\u009f]*$";
const MOMENT: &str = r"^(#?[0-9]{1,19}|@[^/]+/[0-9]{1,19})$";
const POINT: &str = r"^(now|~([0-9]+(ms|s|m|h|d))+|#?[0-9]{1,19}\+?|@[^/]+/[0-9]{1,19}\+?|[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].+)?)$";

fn text(pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).min_length(Some(1))
}

impl PartialSchema for AddressShape {
    fn schema() -> RefOr<Schema> {
        text(ADDRESS).max_length(Some(ADDRESS_MAX)).into()
    }
}

impl PartialSchema for MomentNameShape {
    fn schema() -> RefOr<Schema> {
        text(MOMENT).into()
    }
}

impl PartialSchema for PointShape {
    fn schema() -> RefOr<Schema> {
        text(POINT).into()
    }
}

impl ToSchema for AddressShape {}
impl ToSchema for MomentNameShape {}
impl ToSchema for PointShape {}
