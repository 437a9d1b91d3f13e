#!/usr/bin/env python3
"""Writes the cassettes of the cookbook anew, where a prompt has changed on purpose.

    python3 tests/cookbook/record.py target/debug/reelm

Each world of docs/cookbook with a `replies.jsonl` is lived as its scene says. A server in this process stands in for the model, and gives
the lines of that file as its replies, one after the other: what the model says, as {"say": …}, or the tool that it calls, as
{"tool": "do", "arguments": {…}}.
"""
import json, subprocess, sys, tempfile, threading, tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

replies = []


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not replies:
            return self.send_error(400, "no reply is left")
        reply = replies.pop(0)
        message = {"role": "assistant", "content": reply.get("say")}
        if "tool" in reply:
            function = {"name": reply["tool"], "arguments": json.dumps(reply["arguments"], ensure_ascii=False)}
            message["tool_calls"] = [{"id": "c", "type": "function", "function": function}]
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if "tool" in reply else "stop"}
        usage = {"prompt_tokens": len(json.dumps(asked)) // 4, "completion_tokens": 20}
        body = json.dumps({"choices": [choice], "model": asked["model"], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def record(reelm, world):
    scene = next(test for test in tomllib.loads((world / "world.toml").read_text())["test"] if "cassette" in test)
    replies[:] = [json.loads(line) for line in (world / "replies.jsonl").read_text().splitlines()]
    with tempfile.TemporaryDirectory() as data:
        run = lambda *line: subprocess.run([reelm, *line, "--data", data + "/world"], check=True)
        (world / scene["cassette"]).unlink(missing_ok=True)
        run("run", world, "--moments", "0", "--quiet")
        for act in scene.get("given", []):
            run("do", act["on"], act["do"], json.dumps(act["args"]), "--as", act["as"])
        run("run", world, "--for", scene["run"], "--ahead", "0", "--quiet", "--record", world / scene["cassette"])
    if replies:
        sys.exit(f"{world}: {len(replies)} replies were asked for by nobody")
    subprocess.run([reelm, "test", world], check=True)


server = HTTPServer(("127.0.0.1", 8080), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
for found in sorted(Path("docs/cookbook").glob("*/replies.jsonl")):
    record(sys.argv[1], found.parent)
