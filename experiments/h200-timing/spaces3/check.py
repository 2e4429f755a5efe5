#!/usr/bin/env python3
"""Compares the sums that NAME.check.job shows, by the space's problem (the label's first PARTS words, default 1): python3 check.py OUTPUT [PARTS]"""
import struct
import sys

first, worst, count = {}, {}, {}
for line in open(sys.argv[1]):
    words = line.split()
    if len(words) != 257:
        continue
    values = [struct.unpack("<f", struct.pack("<I", int(w)))[0] for w in words[1:]]
    problem = ".".join(words[0].split(".")[:int(sys.argv[2]) if len(sys.argv) > 2 else 1])
    reference = first.setdefault(problem, values)
    error = max(abs(a - b) / (1e-9 + max(abs(a), abs(b))) for a, b in zip(values, reference))
    if not error < 1e-3:
        print("DIFFERS", words[0], error)
    worst[problem] = max(worst.get(problem, 0), error)
    count[problem] = count.get(problem, 0) + 1
for problem in first:
    print(problem, count[problem], "configurations, largest relative difference", worst[problem], "first sums", first[problem][:3])
