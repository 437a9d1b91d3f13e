//! Package: does what a release packs work where nothing of the project lies?

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::terminal::{Terminal, package};

#[test]
#[ignore = "long: a release is packed and unpacked"]
fn an_archive_of_a_release_holds_a_program_that_begins_checks_and_runs_a_world() {
    let place = tempfile::tempdir().unwrap();
    // As `.ci/release` does without its crate, which is built by npm.
    let script = fs::read_to_string(package().join(".ci/release")).unwrap();
    let without_crate =
        script.split("# The crate, with the page built.").next().unwrap().replace("$(dirname \"$0\")/..", &package().display().to_string());
    fs::write(place.path().join("release"), without_crate.replace(" src/portal/web/built", "")).unwrap();
    let packed = |out: &str, program: &str| {
        let mut command = Command::new("bash");
        let said = command.arg(place.path().join("release")).arg(place.path().join(out)).env("REELM_BIN", program).output().unwrap();
        assert!(said.status.success(), "{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
        let mut archives = fs::read_dir(place.path().join(out)).unwrap().map(|entry| entry.unwrap().path());
        archives.find(|path| path.extension().is_some_and(|end| end == "gz")).unwrap()
    };
    let small = place.path().join("small").display().to_string();
    fs::write(&small, "#!/bin/sh\necho reelm\n").unwrap();
    fs::set_permissions(&small, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(fs::read(packed("a", &small)).unwrap() == fs::read(packed("b", &small)).unwrap(), "two archives of the same are the same");
    let one = packed("one", env!("CARGO_BIN_EXE_reelm"));
    // Unpacked where nothing else is, with nothing in its environment.
    let home = Terminal::new();
    assert!(Command::new("tar").arg("xzf").arg(&one).current_dir(home.path(".")).status().unwrap().success());
    let folder = one.file_name().unwrap().to_str().unwrap().strip_suffix(".tar.gz").unwrap().to_owned();
    let lived = format!(
        "cd {folder} && env -i ./reelm new mine && env -i ./reelm test mine && env -i ./reelm run mine --for 1h --quiet && env -i ./reelm run skateco --for 10m --data s --quiet && grep -q _reelm completions/reelm.bash && env -i ./reelm check docs/cookbook/auction --strict"
    );
    home.shell(&lived).fails(0).says(&["done: 26 moments", "done: 14 moments"]);
}

#[test]
fn what_the_container_is_made_of_is_there_and_what_it_starts_can_be_typed() {
    let docker = fs::read_to_string(package().join("docs/docker/Dockerfile")).unwrap();
    let compose = fs::read_to_string(package().join("docs/docker/compose.yaml")).unwrap();
    assert!(docker.contains("COPY src/portal/web/ ./") && package().join("src/portal/web/package-lock.json").is_file());
    let dockerfile = compose.lines().find_map(|line| line.trim().strip_prefix("dockerfile: ")).unwrap();
    assert!(package().join(dockerfile).is_file());
    // The command is one that the program takes: it fails for the port, which somebody has, and for nothing before that.
    let command = docker.lines().find_map(|line| line.strip_prefix("CMD ")).unwrap();
    let words: Vec<String> = serde_json::from_str(command).unwrap();
    let terminal = Terminal::new();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let line = words.join(" ").replace("/world/world", "world").replace("0.0.0.0", "127.0.0.1");
    let port = taken.local_addr().unwrap().port();
    terminal.types(&format!("{line} --port {port}")).fails(1).warns(&["in use"]);
    // The toolchain of the container is the one that the package asks for.
    let wanted = fs::read_to_string(package().join("Cargo.toml")).unwrap();
    let version = wanted.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"')).unwrap().to_owned();
    assert!(docker.contains(&format!("rust:{version}-")), "{version}");
}
