//! Socket: the way to the server beside the world's files, which only whoever owns them can reach.

use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use axum::Router;
use tokio::sync::watch;

/// The socket beside the world's files: only whoever owns them can reach it.
pub struct Socket(PathBuf);

/// The listener on the socket.
pub struct SocketDoor(std::os::unix::net::UnixListener);

impl Socket {
    /// Opens it in a world's directory.
    pub fn open(dir: &Path) -> io::Result<(Self, SocketDoor)> {
        // By the directory's handle, since the address of a socket has room for about a hundred bytes and a path may be longer.
        let handle = std::fs::File::open(dir)?;
        let near = PathBuf::from(format!("/proc/self/fd/{}", handle.as_raw_fd()));
        let path = dir.join("socket");
        // The world's lock is ours, so what lies there was left by a process that is gone.
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Made under a name that nobody looks for, and given its own once nobody else can open it.
        let beside = dir.join("socket.new");
        let _ = std::fs::remove_file(&beside);
        let listener = std::os::unix::net::UnixListener::bind(near.join("socket.new"))?;
        std::fs::set_permissions(&beside, std::fs::Permissions::from_mode(0o600))?;
        std::fs::rename(&beside, &path)?;
        listener.set_nonblocking(true)?;
        Ok((Self(path), SocketDoor(listener)))
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl SocketDoor {
    /// Answers whoever comes, until the server stops.
    pub async fn listen(self, router: Router, stopping: watch::Receiver<bool>) {
        let served = match tokio::net::UnixListener::from_std(self.0) {
            Ok(listener) => axum::serve(listener, router).with_graceful_shutdown(until(stopping)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = served {
            tracing::error!(%error, "the socket beside the world's files is closed");
        }
    }
}

/// Waits until the server stops.
pub async fn until(mut stopping: watch::Receiver<bool>) {
    // An error says that nobody can say stop any more.
    let _ = stopping.wait_for(|stop| *stop).await;
}
