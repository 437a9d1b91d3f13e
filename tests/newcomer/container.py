"""Container: does docs/docker/Dockerfile build, and does what comes of it serve a world? Run by hand, as root, on a Debian system with buildah.

    python3 tests/newcomer/container.py [ROOT]     # ROOT: a system that newcomer.py has made

Where the images that the Dockerfile begins with can be pulled, they are. Else the newcomer's system stands in for each of them.
"""
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
DOCKERFILE = PROJECT / "docs/docker/Dockerfile"
PORT, PATIENCE_S = 7792, 60
#: No container runs beside it that would want more.
ENVIRONMENT = {**os.environ, "BUILDAH_ISOLATION": "chroot", "STORAGE_DRIVER": "vfs"}
#: Nothing of a system that a container would bring itself.
LEFT_OUT = ["home", "root", "proc", "dev", "sys", "tmp", "var/cache"]
SET = {
    "PATH": "/opt/rust/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "NODE_EXTRA_CA_CERTS": "/etc/ssl/certs/ca-certificates.crt",
}


def buildah(*words):
    """Runs buildah; what it says on its output."""
    ended = subprocess.run(["buildah", *map(str, words)], text=True, env=ENVIRONMENT, stdout=subprocess.PIPE, check=False)
    if ended.returncode != 0:
        sys.exit(f"buildah {' '.join(map(str, words))} ended with {ended.returncode}\n{ended.stdout[-4000:]}")
    return ended.stdout.strip()


def stand_in(root):
    """Makes the newcomer's system an image, which stands in for those that cannot be pulled."""
    container = buildah("from", "scratch")
    left_out = " ".join(f"--exclude=./{name}/*" for name in LEFT_OUT)
    copied = f"tar --create {left_out} . | tar --extract --directory {buildah('mount', container)}"
    subprocess.run(["bash", "-o", "pipefail", "-c", copied], cwd=root, check=True)
    for name, value in SET.items():
        buildah("config", "--env", f"{name}={value}", container)
    image = buildah("commit", "--quiet", container)
    buildah("rm", container)
    return image


def serves():
    """Whether a container of the image serves a world."""
    container = buildah("from", "localhost/reelm")
    command = ["reelm", "serve", "skateco", "--data", "/world/world", "--bind", "0.0.0.0", "--no-open", "--port", str(PORT)]
    served = subprocess.Popen(["buildah", "run", container, "--", *command], env=ENVIRONMENT)
    try:
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=5) as answer:
                    return "<script" in answer.read().decode()
            except OSError:
                time.sleep(0.5)
        return False
    finally:
        served.terminate()
        served.wait()
        buildah("rm", container)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "/var/tmp/reelm-newcomer").resolve()
    stands_in = None
    for name in re.findall(r"^FROM (\S+)", DOCKERFILE.read_text(), re.MULTILINE):
        pull = ["buildah", "pull", "--quiet", "--policy", "ifmissing", name]
        if subprocess.run(pull, env=ENVIRONMENT, capture_output=True, check=False).returncode != 0:
            stands_in = stands_in or stand_in(root)
            buildah("tag", stands_in, f"docker.io/library/{name}")
            print(f"        {name}: the newcomer's system stands in for it", flush=True)
    buildah("build", "--pull-never", "--file", DOCKERFILE, "--tag", "localhost/reelm", PROJECT)
    print("ok      the container is built", flush=True)
    if not serves():
        sys.exit("the container serves no page")
    print("ok      the container serves skateco", flush=True)


if __name__ == "__main__":
    main()
