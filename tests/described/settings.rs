//! Settings: is the table of docs/WORLDS.md what the register says?
//!
//! `REMAKE=1 cargo test --test reelm described::` writes it anew.

use std::fs;

use reelm::world::settings;

const BEGIN: &str = "<!-- the register: written from src/world/register.rs -->\n";
const END: &str = "<!-- the end of the register -->\n";

fn table() -> String {
    let mut text = "| key | what it is for | default | where | who | how it comes together |\n|---|---|---|---|---|---|\n".to_owned();
    for setting in settings() {
        let key = if setting.key.ends_with('.') { format!("{}<name>", setting.key) } else { setting.key.to_string() };
        let default = if setting.default.is_null() { "none".to_owned() } else { format!("`{}`", setting.default) };
        let places: Vec<&str> = setting.stands.iter().map(|stand| stand.word()).collect();
        let places = if places.len() == 3 { "everywhere".to_owned() } else { places.join(", ") };
        let (about, who, merge) = (&setting.about, setting.who.word(), setting.merge.word());
        text += &format!("| `{key}` | {about} | {default} | {places} | {who} | {merge} |\n");
    }
    text
}

#[test]
fn the_table_of_settings_is_what_the_register_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/WORLDS.md");
    let text = fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (written, after) = rest.split_once(END).unwrap();
    if std::env::var_os("REMAKE").is_some() {
        fs::write(path, format!("{before}{BEGIN}\n{}\n{END}{after}", table())).unwrap();
        return;
    }
    assert_eq!(written.trim(), table().trim(), "write it anew: REMAKE=1 cargo test --test reelm described::");
}
