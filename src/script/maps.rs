//! Maps: what scripts do with maps, each function counted by what it walks or copies.

use rhai::{Array, Dynamic, Engine, Map};

use crate::fact::Value;

use super::convert::{to_dynamic, to_value};
use super::work::{Work, Worked};

/// Offers them all.
pub(super) fn offer(engine: &mut Engine, work: &Work) {
    single(engine, work);
    joined(engine, work);
    lists(engine, work);
    json(engine, work);
}

fn single(engine: &mut Engine, work: &Work) {
    engine.register_fn("len", |map: &mut Map| map.len() as i64);
    engine.register_fn("is_empty", |map: &mut Map| map.is_empty());
    engine.register_fn("contains", |map: &mut Map, key: &str| map.contains_key(key));
    let own = work.clone();
    engine.register_fn("get", move |map: &mut Map, key: &str| {
        map.get(key).map_or(Ok(Dynamic::UNIT), |item| own.whole(item).map(|()| item.clone()))
    });
    engine.register_fn("set", |map: &mut Map, key: &str, item: Dynamic| {
        map.insert(key.into(), item);
    });
    engine.register_fn("remove", |map: &mut Map, key: &str| map.remove(key).unwrap_or(Dynamic::UNIT));
    let own = work.clone();
    engine.register_fn("clear", move |map: &mut Map| own.items(map.len()).map(|()| map.clear()));
}

fn joined(engine: &mut Engine, work: &Work) {
    for name in ["mixin", "+="] {
        let own = work.clone();
        engine.register_fn(name, move |map: &mut Map, more: Map| own.items(more.len()).map(|()| map.extend(more)));
    }
    let own = work.clone();
    engine.register_fn("+", move |mut map: Map, more: Map| {
        own.items(map.len() + more.len())?;
        map.extend(more);
        Worked::Ok(map)
    });
    let own = work.clone();
    engine.register_fn("fill_with", move |map: &mut Map, more: Map| {
        own.items(more.len())?;
        for (key, item) in more {
            map.entry(key).or_insert(item);
        }
        Worked::Ok(())
    });
}

fn lists(engine: &mut Engine, work: &Work) {
    let own = work.clone();
    engine.register_fn("keys", move |map: &mut Map| {
        own.items(map.len())?;
        Worked::Ok(map.keys().map(|key| key.clone().into()).collect::<Array>())
    });
    let own = work.clone();
    engine.register_fn("values", move |map: &mut Map| {
        own.map(map)?;
        Worked::Ok(map.values().cloned().collect::<Array>())
    });
}

fn json(engine: &mut Engine, work: &Work) {
    // A map that is no value of ours has no JSON: it gives `()`.
    let own = work.clone();
    engine.register_fn("to_json", move |map: &mut Map| {
        own.map(map)?;
        let value = to_value(Dynamic::from_map(map.clone())).ok();
        let text = value.and_then(|value| serde_json::to_string(&value).ok());
        own.text(text.as_ref().map_or(0, String::len))?;
        Worked::Ok(text.map_or(Dynamic::UNIT, Dynamic::from))
    });
    // A text that is no JSON gives `()`, so that a script need not catch what people type.
    let own = work.clone();
    engine.register_fn("json", move |text: &str| {
        own.take(text.len())?;
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        Worked::Ok(to_dynamic(value))
    });
}
