#!/usr/bin/env python3
"""A server of models that is made of the providers' own packages.

    server.py LOG

Prints its port. A request is held to the types that a client of the package would be held to: what has another shape, and any key that
they do not know, is answered with 400 and said in LOG, one line of JSON a request. A reply is built by the package's own model of it and
written by that. Each model first looks at a place, then says something there, then does nothing.
"""

import json
import sys
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from anthropic.types import Message
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from openai.types.chat import ChatCompletion
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter

OPENAI = TypeAdapter(CompletionCreateParamsNonStreaming)
ANTHROPIC = TypeAdapter(MessageCreateParamsNonStreaming)
ASKED = Counter()
CALLS = [("see", {"address": "/hall"}), ("do", {"action": "say", "target": "/hall", "args": {"content": "Good evening."}})]


def unknown(body, known, at=""):
    """The keys of a body that its types leave out when they write it."""
    if isinstance(body, dict) and isinstance(known, dict):
        for key, value in body.items():
            yield from unknown(value, known[key], f"{at}/{key}") if key in known else [f"{at}/{key}: no such key"]
    elif isinstance(body, list) and isinstance(known, list):
        for n, (one, other) in enumerate(zip(body, known, strict=True)):
            yield from unknown(one, other, f"{at}/{n}")
    elif body != known:
        yield f"{at}: {body!r} was taken as {known!r}"


def faults(types, body):
    try:
        # What may be a list of anything is read only when it is written.
        return list(unknown(body, json.loads(types.dump_json(types.validate_python(body, strict=True), warnings="error"))))
    except Exception as error:  # Whatever it is, whoever sent the body is told of it.
        return [f"{type(error).__name__}: {error}"]


def held(schema, name, arguments):
    """The same call as a schema asks for it that leaves nothing out: alternatives under one key, objects of any shape as text."""
    if "act" not in schema.get("properties", {}):
        return arguments
    call = {**arguments, "args": json.dumps(arguments["args"])} if "args" in arguments else arguments
    return {"act": call if name is None else {"name": name, "arguments": call}}


def chat(body, number):
    """What OpenAI answers."""
    content, calls = "I have said it.", None
    tools = {tool["function"]["name"]: tool["function"]["parameters"] for tool in body.get("tools", [])}
    if number < len(CALLS):
        name, arguments = CALLS[number]
        if "response_format" in body:
            content = json.dumps(held(body["response_format"]["json_schema"]["schema"], name, arguments))
        else:
            function = {"name": name, "arguments": json.dumps(held(tools[name], None, arguments))}
            content, calls = None, [{"id": f"call_{number}", "type": "function", "function": function}]
    elif "response_format" in body:
        content = json.dumps({"act": {"name": "nothing"}})
    message = {"role": "assistant", "content": content, "refusal": None, "tool_calls": calls, "annotations": []}
    choice = {"index": 0, "finish_reason": "tool_calls" if calls else "stop", "logprobs": None, "message": message}
    usage = {
        "prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050,
        "prompt_tokens_details": {"cached_tokens": 600, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 20, "audio_tokens": 0},
    }
    reply = {
        "id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1772000000, "model": body["model"] + "-2026",
        "choices": [choice], "usage": usage, "service_tier": "default", "system_fingerprint": "fp_1",
    }
    return ChatCompletion.model_validate(reply, strict=True)


def message(body, number):
    """What Anthropic answers."""
    content = [{"type": "thinking", "thinking": "What does the hall need?", "signature": "c2ln"}] if "thinking" in body else []
    tools = {tool["name"]: tool["input_schema"] for tool in body.get("tools", [])}
    stop = "end_turn"
    if number < len(CALLS):
        name, arguments = CALLS[number]
        acts = "act" in tools
        given = {"act": {"name": name, "arguments": arguments}} if acts else arguments
        content += [
            {"type": "text", "text": "Let me see.", "citations": None},
            {"type": "tool_use", "id": f"toolu_{number}", "name": "act" if acts else name, "input": given},
        ]
        stop = "tool_use"
    else:
        content += [{"type": "text", "text": "I have said it.", "citations": None}]
    usage = {"input_tokens": 300, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 600, "output_tokens": 50}
    reply = {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "model": body["model"] + "-2026", "content": content,
        "stop_reason": stop, "stop_sequence": None, "usage": usage,
    }
    return Message.model_validate(reply)


ROADS = {"/v1/chat/completions": (OPENAI, chat, "authorization"), "/v1/messages": (ANTHROPIC, message, "x-api-key")}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        raw = self.rfile.read(int(self.headers["content-length"]))
        road = ROADS.get(self.path)
        body, wrong = json.loads(raw), [f"nobody answers at {self.path}"]
        if road is not None:
            types, answer, key = road
            wrong = faults(types, body)
            if not self.headers.get(key, "").endswith("kit-key"):
                wrong.append(f"expected the key in the header `{key}`")
            if self.path == "/v1/messages" and self.headers.get("anthropic-version") != "2023-06-01":
                wrong.append("expected the header `anthropic-version`")
        with open(sys.argv[1], "a") as log:
            log.write(json.dumps({"model": body.get("model"), "path": self.path, "wrong": wrong, "keys": sorted(body)}) + "\n")
        if wrong:
            return self.say(400, json.dumps({"error": {"type": "invalid_request_error", "message": "; ".join(wrong)}}))
        number = ASKED[body["model"]]
        ASKED[body["model"]] += 1
        self.say(200, answer(body, number).model_dump_json())

    def say(self, status, text):
        data = text.encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
