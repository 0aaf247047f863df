#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A model of look-back on a large GPU, for changes that no GPU is at hand for: lookback.py

Workgroups draw tiles in order. A load or a store of a tile takes its turn at the memory, and a word
that one workgroup stores is seen by another after half a round trip to the cache that they share.
All times are in microseconds. Prints how long a scan of 2^25 words takes on a device like an H100
(132 multiprocessors with four workgroups each, 2.98 TB/s), by round trip: where each tile publishes
its prefix (Merrill and Garland 2016), and where each block of tiles has one prefix
(shaders/vkreduce/lookback.glsl).
"""
import heapq
import itertools
import random

BYTES_PER_US = 2.98e6
TILE = 16384
TILES = 8192
RESIDENT = 528
LANES = 32


class Model:
    def __init__(self, round_trip, block):
        self.round_trip = round_trip
        self.block = block        # tiles; 0: each tile publishes its prefix
        self.random = random.Random(1)
        self.memory = 0.0         # when it is free
        self.totals = [None] * TILES    # when others can see them
        self.prefixes = {0: 0.0} if block else {}
        self.events = []
        self.numbers = itertools.count()
        self.end = 0.0

    def at(self, time, event, tile, seen=None):
        heapq.heappush(self.events, (time, next(self.numbers), event, tile, seen))

    def transfer(self, time):
        self.memory = max(self.memory, time) + TILE / BYTES_PER_US
        return self.memory

    def start(self, time, tile, _):
        done = self.transfer(time + 0.3) + 0.5 + self.random.expovariate(1 / 0.3)
        self.at(done, self.loaded, tile)

    def loaded(self, time, tile, _):
        self.totals[tile] = time + self.round_trip / 2
        if tile == 0:
            self.known(time, tile, None)
        else:
            self.at(time + self.round_trip / 2, self.poll, tile, tile)

    def has(self, when, time):
        return when is not None and when <= time

    def poll(self, time, tile, seen):
        """The load of the words before tile `seen` reaches the cache."""
        first = (tile - 1) // self.block * self.block if self.block else max(0, seen - LANES)
        for i in range(seen - 1, first - 1, -1):
            if not self.block and self.has(self.prefixes.get(i), time):
                first = 0
                break
            if not self.has(self.totals[i], time):
                self.at(time + self.round_trip, self.poll, tile, seen)
                return
        if self.block and not self.has(self.prefixes.get(first // self.block), time):
            self.at(time + self.round_trip, self.poll, tile, seen)
        elif self.block or first == 0:
            self.at(time + self.round_trip / 2 + 0.1, self.known, tile)
        else:
            self.at(time + self.round_trip + 0.1, self.poll, tile, first)

    def known(self, time, tile, _):
        if not self.block:
            self.prefixes[tile] = time + self.round_trip / 2
        elif tile % self.block == 0 and tile > 0:
            self.prefixes[tile // self.block] = time + self.round_trip / 2
        self.end = self.transfer(time)
        if self.drawn < TILES:
            self.at(self.end + 0.2, self.start, self.drawn)
            self.drawn += 1

    def run(self):
        self.drawn = RESIDENT
        for tile in range(RESIDENT):
            self.at(self.random.random() / 2, self.start, tile)
        while self.events:
            time, _, event, tile, seen = heapq.heappop(self.events)
            event(time, tile, seen)
        return self.end


def main():
    print('round trip | prefixes of tiles | blocks of 64 | of 128 | of 256')
    for round_trip in (0.5, 0.6, 0.8, 1.2):
        times = [Model(round_trip, block).run() for block in (0, 64, 128, 256)]
        print(f'{round_trip} | ' + ' | '.join(f'{time:.0f}' for time in times))


if __name__ == '__main__':
    main()
