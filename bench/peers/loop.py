# SPDX-License-Identifier: MIT
"""One loop for every peer: a training step, then a pass over the graph that validates."""
import os
import statistics
import time

import torch
import torch.nn.functional as F


def glorot(*shape):
    w = torch.empty(*shape)
    torch.nn.init.xavier_uniform_(w)
    return torch.nn.Parameter(w)


def fit(model, optimiser, parts, y, epochs, penalty=None, after=None, seconds=None):
    """Train; returns [(wall, cpu)] of the epochs in ms, the test accuracy and the last training loss with L2.

    model(): logits (n, c). penalty(): what is added to the loss. after(i): called after step i.
    seconds: stop after so many, once a few epochs are timed.
    """
    train, val, test = (torch.from_numpy(p.astype("int64")) for p in parts)
    y = torch.from_numpy(y)
    y_train, y_val = y[train], y[val]
    times, loss, start = [], None, time.perf_counter()
    for i in range(epochs):
        wall, cpu = time.perf_counter(), time.process_time()
        model.train()
        optimiser.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model()[train], y_train)
        if penalty:
            loss = loss + penalty()
        loss.backward()
        optimiser.step()
        if after:
            after(i)
        model.eval()
        with torch.no_grad():
            z = model()[val]
            F.cross_entropy(z, y_val).item()
            (z.argmax(1) == y_val).float().mean().item()
        times.append(((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3))
        if seconds and i >= 2 and time.perf_counter() - start > seconds:
            break
    with torch.no_grad():
        right = (model()[test].argmax(1) == y[test]).float().mean().item()
    decayed = sum(
        group["weight_decay"] / 2 * p.detach().square().sum().item()
        for group in optimiser.param_groups
        for p in group["params"]
    )
    return times, right, loss.item() + decayed


def medians(times):
    return [statistics.median(t) for t in zip(*times[1:])]


def fastest(make, forms, label, part, y):
    """Try every form for a moment; (the one that takes least CPU time an epoch, that time in s).

    make(form) gives (model, optimiser, further arguments of fit) afresh.
    """
    tried = {}
    for form in forms:
        try:
            torch.manual_seed(1)
            model, optimiser, more = make(form)
            times, _, _ = fit(model, optimiser, part, y, 12, seconds=1, **more)
            tried[form] = medians(times)[1]
        except (RuntimeError, NotImplementedError, TypeError, ValueError, AttributeError) as e:
            print(f"# {label}: form {form} does not run: {str(e).splitlines()[0][:120]}", flush=True)
    print(f"# {label}, cpu ms: " + ", ".join(f"{k} {v:.3f}" for k, v in tried.items()), flush=True)
    best = min(tried, key=tried.get)
    return best, tried[best] / 1e3


def measure(make, best, label, parts, y, epochs, who="peer"):
    """Train on every split; print a line each, as bench/epochs.c does. best: what fastest returned.

    Fewer than `epochs` epochs are run where they would take more than $BENCH_BUDGET seconds in all, and
    where even a few on every split do, only the first split.
    """
    form, pace = best
    budget = float(os.environ.get("BENCH_BUDGET", 15))
    if 5 * pace * len(parts) > 2 * budget:
        parts = parts[:1]
    epochs = max(3 if pace > 2 else 5, min(epochs, int(budget / pace / len(parts))))
    for seed, part in enumerate(parts, 1):
        torch.manual_seed(seed)
        model, optimiser, more = make(form)
        times, right, loss = fit(model, optimiser, part, y, epochs, **more)
        wall, cpu = medians(times)
        figures = [str(seed), str(epochs), f"{wall:.6f}", f"{cpu:.6f}", f"{right:.4f}", f"{loss:.6f}"]
        print("\t".join([who, form, *label.split(), *figures]), flush=True)
