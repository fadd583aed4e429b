# SPDX-License-Identifier: MIT
"""A whole run in PyTorch, as a script would be written: train_cora.py EPOCHS. Prints one JSON object."""
import json
import sys

import torch

import data
import gnd_slp
import loop
import sparse


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    adj, x, y = data.load("cora")
    w = gnd_slp.walk(adj)
    x = data.row_l1(x)
    model = gnd_slp.GndSlp(sparse.operator(w, "csr_t"), sparse.features(x, "csr_t"), x.shape[1], y.max() + 1)
    optimiser = torch.optim.Adam(model.parameters(), lr=gnd_slp.LR, weight_decay=gnd_slp.DECAY, fused=True)
    _, right, _ = loop.fit(model, optimiser, data.split(y, 5, 1), y, int(sys.argv[1]))
    print(json.dumps({"test_accuracy": right}))


if __name__ == "__main__":
    main()
