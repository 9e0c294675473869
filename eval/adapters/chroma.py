# /// script
# requires-python = ">=3.11"
# dependencies = ["chromadb==1.5.9", "bpe-openai==0.1.4"]
# ///
"""Chroma behind the two endpoints of README.md: one collection a space, one
document a turn, nearest vectors first. Without --model the vectors are those
that Chroma makes by itself (all-MiniLM-L6-v2, downloaded at the first use);
with it sentence-transformers is needed too."""

import chromadb
from chromadb.config import Settings
from chromadb.utils import embedding_functions

from adapter import arguments, serve


class Chroma:
    def __init__(self, model):
        self.client = chromadb.EphemeralClient(Settings(anonymized_telemetry=False))
        if model:
            self.embed = embedding_functions.SentenceTransformerEmbeddingFunction(model_name=model)
        else:
            self.embed = embedding_functions.DefaultEmbeddingFunction()
        self.collections = {}

    def reset(self, space):
        if space in self.collections:
            self.client.delete_collection(space)
        self.collections[space] = self.client.create_collection(
            space, embedding_function=self.embed, configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, space, turns):
        for start in range(0, len(turns), 1000):  # Chroma takes some 5,000 at once
            batch = turns[start : start + 1000]
            self.collections[space].add(
                ids=[t["id"] for t in batch],
                documents=[t["words"] for t in batch],
                metadatas=[{"heard": t["heard"]} for t in batch],
            )

    def search(self, space, question, known, limit):
        where = {"heard": {"$lte": known}} if known is not None else None
        return self.collections[space].query(query_texts=[question], n_results=limit, where=where)["ids"][0]


if __name__ == "__main__":
    args = arguments(__doc__)
    serve(Chroma(args.model), args.port)
