//! Tests of the files of `src/verb/op`.

mod models;

use reelm::fact::{Code, Value};
use reelm::verb::{Schema, core, core_operations};

#[test]
fn every_schema_of_a_core_operation_compiles() {
    for operation in core_operations() {
        let schema: Value = serde_json::from_str(operation.schema).unwrap();
        assert!(Schema::compile(&schema).is_ok(), "{}", operation.name);
        // Its own is compiled when it is first asked.
        let (_, own) = core(operation.name).unwrap();
        let refused = own.check(&Value::Int(7)).map_err(|reason| reason.code);
        assert!(refused.is_err() && refused != Err(Code::SchemaBroken), "{}", operation.name);
    }
}
