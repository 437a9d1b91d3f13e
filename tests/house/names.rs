//! Names: one name means one type in the whole house, so that whoever reads it anywhere knows which.

use std::collections::{BTreeMap, BTreeSet};

use super::File;

/// The types that a file makes: structs, enums and traits, and aliases that stand in no other item.
fn types(file: &File) -> Vec<(usize, String)> {
    let mut depth = 0usize;
    let mut found = Vec::new();
    for (word, next) in file.code.iter().zip(file.code.iter().skip(1)) {
        let is_type = match word.text.as_str() {
            "{" => {
                depth += 1;
                false
            }
            "}" => {
                depth = depth.saturating_sub(1);
                false
            }
            "struct" | "enum" | "trait" => true,
            "type" => depth == 0,
            _ => false,
        };
        if is_type && next.text.starts_with(char::is_uppercase) && !is_command(file, &next.text) {
            found.push((next.line, next.text.clone()));
        }
    }
    found
}

/// A command is called by its own word, whatever else bears it.
fn is_command(file: &File, name: &str) -> bool {
    file.name == format!("cli/{}.rs", name.to_lowercase())
}

/// Names that more than one file gives to a type of its own.
pub fn faults(files: &[File]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<(&File, usize)>> = BTreeMap::new();
    for file in files {
        for (line, name) in types(file) {
            places.entry(name).or_default().push((file, line));
        }
    }
    places.retain(|_, places| places.iter().map(|(file, _)| &file.name).collect::<BTreeSet<_>>().len() > 1);
    let mut faults = Vec::new();
    for (name, places) in &places {
        if let [(first, _), .., (file, line)] = places.as_slice() {
            faults.push(file.fault(*line, format_args!("`{name}` is a type of src/{} already; one name means one thing", first.name)));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(files: &[(&str, &str)]) -> String {
        let files: Vec<File> = files.iter().map(|(name, code)| File::new(name, code)).collect();
        faults(&files).join("\n")
    }

    #[test]
    fn a_name_of_two_types_is_named() {
        let files = [("world/a.rs", "pub struct Row;\nstruct Other;"), ("run/b.rs", "\ntype Row = u8;"), ("fact/c.rs", "enum Third {}")];
        assert_eq!(says(&files), "src/run/b.rs:2: `Row` is a type of src/world/a.rs already; one name means one thing");
    }

    #[test]
    fn an_associated_type_and_a_command_make_no_name() {
        let files = [
            ("world/a.rs", "pub struct See; pub enum Row {}"),
            ("cli/see.rs", "pub struct See;"),
            ("fact/b.rs", "impl X for Y { type Row = u8; }"),
        ];
        assert_eq!(says(&files), "");
    }
}
