"""What the adapters have in common: the two endpoints of README.md, and a
context packed to its budget. An adapter is an object with

    reset(space)                            forget the space
    add(space, turns)                       hear turns, [{"id", "words", "role", "heard"}]
    search(space, question, known, limit)   ids of the best turns, the best first

where words are "speaker: text", and heard and known are seconds since 1970
(known may be None: everything counts).
"""

import argparse
import json
import sys
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer

import bpe_openai  # the vocabulary of o200k is in the package

O200K = bpe_openai.get_encoding("o200k_base")
MISSES = 8  # so many turns in a row that do not fit end the packing


def count(text):
    return len(O200K.encode_ordinary(text))


def seconds(time):
    return datetime.fromisoformat(time).timestamp() if time else None


class Endpoints:
    """Keeps the turns of each space in their order; the adapter finds them."""

    def __init__(self, adapter):
        self.adapter, self.spaces = adapter, {}

    def ingest(self, body):
        space = body["space"]
        if body.get("reset") or space not in self.spaces:
            self.adapter.reset(space)
            self.spaces[space] = {}
        known = self.spaces[space]
        turns = []
        for t in body["turns"]:
            date = datetime.fromisoformat(t["occurred"]).strftime("%Y-%m-%d %a") if t.get("occurred") else "undated"
            words = (t.get("speaker") or t["role"]) + ": " + t["text"].strip()
            known[t["id"]] = {"place": len(known), "group": (body.get("session"), date), "line": words + "\n"}
            turns.append({"id": t["id"], "words": words, "role": t["role"], "heard": seconds(t["heard"])})
        if turns:
            self.adapter.add(space, turns)
        return {}

    def context(self, body):
        turns, budget = self.spaces.get(body["space"], {}), body["budget"]
        if not turns:
            return {"context": "", "ids": []}
        limit = min(len(turns), 10 + budget // 4)
        ranked = self.adapter.search(body["space"], body["question"], seconds(body.get("known_at")), limit)
        chosen, groups, used, misses = [], set(), 0, 0
        for id in ranked:
            turn = turns[id]
            cost = count(turn["line"])
            if turn["group"] not in groups:
                cost += count(heading(turn))
            if used + cost > budget:
                misses += 1
                if misses > MISSES:
                    break
                continue
            misses = 0
            used += cost
            groups.add(turn["group"])
            chosen.append(id)
        while count(render(turns, chosen)) > budget:  # tokens of lines need not add up
            chosen.pop()
        return {"context": render(turns, chosen), "ids": chosen}


def heading(turn):
    return "## " + turn["group"][1] + "\n"


def render(turns, ids):
    text, group = "", None
    for turn in sorted((turns[id] for id in ids), key=lambda turn: turn["place"]):
        if turn["group"] != group:
            text, group = text + heading(turn), turn["group"]
        text += turn["line"]
    return text


def handler(endpoints):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            answer = {"/ingest": endpoints.ingest, "/context": endpoints.context}.get(self.path)
            if answer is None:
                return self.reply(404, {"error": "there are /ingest and /context"})
            try:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self.reply(200, answer(body))
            except (KeyError, TypeError, ValueError) as e:
                self.reply(400, {"error": f"{type(e).__name__}: {e}"})
            except Exception as e:
                self.reply(500, {"error": f"{type(e).__name__}: {e}"})

        def reply(self, status, body):
            data = json.dumps(body, ensure_ascii=False).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    return Handler


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--port", type=int, default=8001)
    parser.add_argument("--model", help="name or directory of a sentence-transformers model")
    return parser.parse_args()


def serve(adapter, port):
    server = HTTPServer(("127.0.0.1", port), handler(Endpoints(adapter)))
    print(f"listening on http://127.0.0.1:{server.server_port}", file=sys.stderr, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
