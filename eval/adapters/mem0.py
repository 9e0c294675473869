# /// script
# requires-python = ">=3.11"
# dependencies = ["mem0ai==2.2.1", "sentence-transformers", "bpe-openai==0.1.4"]
# ///
"""Mem0 behind the two endpoints of README.md, without a language model: turns
are added word for word (infer=False), one user a space, in its own local
vector store. The vectors are by --model, all-MiniLM-L6-v2 if none is named."""

import os
import sys
import tempfile

from adapter import arguments, serve

# This file is called as the library is, and its directory comes first.
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path = [p for p in sys.path if os.path.realpath(p or ".") != HERE]
STORE = tempfile.TemporaryDirectory(prefix="mem0-")
os.environ["MEM0_DIR"] = STORE.name
os.environ["MEM0_TELEMETRY"] = "False"

from mem0 import Memory  # noqa: E402  it reads the environment when it is imported


class Mem0:
    def __init__(self, model):
        model = model or "sentence-transformers/all-MiniLM-L6-v2"
        self.memory = Memory.from_config({
            "embedder": {"provider": "huggingface", "config": {"model": model, "embedding_dims": 384}},
            "vector_store": {
                "provider": "qdrant",
                "config": {"collection_name": "turns", "path": STORE.name + "/qdrant", "embedding_model_dims": 384},
            },
            # Made, but never asked.
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
            "history_db_path": STORE.name + "/history.db",
        })

    def reset(self, space):
        self.memory.delete_all(user_id=space)

    def add(self, space, turns):
        for t in turns:
            role = "assistant" if t["role"] == "assistant" else "user"
            self.memory.add(
                [{"role": role, "content": t["words"]}],
                user_id=space, metadata={"turn": t["id"], "heard": t["heard"]}, infer=False,
            )

    def search(self, space, question, known, limit):
        filters = {"user_id": space}
        if known is not None:
            filters["heard"] = {"lte": known}
        # Its own threshold of 0.1 would leave the budget empty.
        found = self.memory.search(question, top_k=limit, filters=filters, threshold=0.0)
        return [memory["metadata"]["turn"] for memory in found["results"]]


if __name__ == "__main__":
    args = arguments(__doc__)
    serve(Mem0(args.model), args.port)
