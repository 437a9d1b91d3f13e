//! Tests of `src/portal/enter.rs`.

use reelm::portal::enter::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;
use tokio::sync::watch;

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn the_file_is_its_owners_alone_and_goes_where_nobody_laid_anything_ready() {
    let dir = tempfile::tempdir().unwrap();
    let victim = tempfile::tempdir().unwrap();
    fs::write(victim.path().join("enter.html"), "mine").unwrap();
    let folder = dir.path().join("enter");
    symlink(victim.path(), &folder).unwrap();
    let file = EnterFile::write(dir.path(), "http://127.0.0.1:1/#/welcome/x").unwrap();
    assert_eq!((mode(&file.path()), mode(&folder)), (0o600, 0o700));
    assert!(!folder.is_symlink() && fs::read_to_string(file.path()).unwrap().contains("/welcome/x"));
    assert_eq!(fs::read_to_string(victim.path().join("enter.html")).unwrap(), "mine");
    drop(file);
    assert!(!folder.exists());
    // The folder that a killed server left wide open is removed with all its contents.
    fs::create_dir(&folder).unwrap();
    symlink(victim.path(), folder.join("enter.html")).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
    let file = EnterFile::write(dir.path(), "http://127.0.0.1:1/").unwrap();
    assert_eq!((mode(&file.path()), mode(&folder)), (0o600, 0o700));
    std::mem::forget(file);
    EnterFile::clear(dir.path()).unwrap();
    assert!(!folder.exists() && victim.path().join("enter.html").exists());
}

#[test]
fn the_file_lasts_until_a_link_was_used_or_has_run_out_or_the_server_stops() {
    let dir = tempfile::tempdir().unwrap();
    let long = Duration::from_secs(1_000_000);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let write = || EnterFile::write(dir.path(), "http://127.0.0.1:1/").unwrap();
    let is_there = || dir.path().join("enter/enter.html").exists();
    let (came, stop) = (watch::Sender::new(()), watch::Sender::new(false));
    let (file, used) = (write(), came.subscribe());
    assert!(is_there());
    came.send_replace(());
    runtime.block_on(file.last(used, long, stop.subscribe()));
    assert!(!is_there());
    runtime.block_on(write().last(came.subscribe(), Duration::ZERO, stop.subscribe()));
    assert!(!is_there());
    let file = write();
    stop.send_replace(true);
    runtime.block_on(file.last(came.subscribe(), long, stop.subscribe()));
    assert!(!is_there());
}
