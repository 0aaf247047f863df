#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Descriptors of a photograph and of a warped view of it, for the sample match.

match_orb.py PHOTOGRAPH OUT [COUNT]: writes OUT.npy and OUT-warped.npy, (n, 64) u8 of at most COUNT
(500) points each, and OUT-known.npy, the pairs (query, train) that are right, (n, 2) u32: those
less than 3 pixels apart once the view is warped back. Two ORB descriptors of 256 bits, of patches
of 31 and of 63 pixels round the same point, make one of 512. Needs OpenCV and numpy, Debian's
python3-opencv.
"""
import sys

try:
    import cv2
    import numpy as np
except ImportError as error:
    sys.exit(f"match_orb.py needs OpenCV and numpy for Python, Debian's python3-opencv: {error}")

PATCHES = 31, 63
NEAR = 3.0  # pixels


def homography(width, height):
    """A turn by 12 degrees, a little smaller, seen from the side."""
    c, s = 0.9 * np.cos(np.radians(12)), 0.9 * np.sin(np.radians(12))
    middle = np.array([[1, 0, width / 2], [0, 1, height / 2], [0, 0, 1]])
    view = np.array([[c, -s, 5], [s, c, -3], [2e-4, -1e-4, 1]])
    return middle @ view @ np.linalg.inv(middle)


def describe(picture, count):
    """Positions and descriptors of points."""
    points = cv2.ORB_create(nfeatures=count, edgeThreshold=45).detect(picture, None)
    halves = []
    for patch in PATCHES:
        orb = cv2.ORB_create(nfeatures=count, edgeThreshold=45, patchSize=patch)
        points, half = orb.compute(picture, points)
        if half is None:
            return np.empty((0, 2), np.float32), np.empty((0, 64), np.uint8)
        halves.append((np.float32([p.pt for p in points]), half))
    if not np.array_equal(halves[0][0], halves[1][0]):
        sys.exit('match_orb.py: this OpenCV gave the two patches different points')
    return halves[0][0], np.hstack([half for _, half in halves])


def main():
    count = sys.argv[3] if len(sys.argv) == 4 else '500'
    if len(sys.argv) not in (3, 4) or not count.isdigit():
        sys.exit('usage: match_orb.py PHOTOGRAPH OUT [COUNT]')
    picture = cv2.imread(sys.argv[1], cv2.IMREAD_GRAYSCALE)
    if picture is None:
        sys.exit(f'match_orb.py: {sys.argv[1]} is no picture that can be read')
    height, width = picture.shape
    warp = homography(width, height)
    at, queries = describe(picture, int(count))
    warped_at, train = describe(cv2.warpPerspective(picture, warp, (width, height)), int(count))
    back = np.empty_like(warped_at)
    if len(warped_at):
        back = cv2.perspectiveTransform(warped_at[None], np.linalg.inv(warp))[0]
    apart = np.linalg.norm(at[:, None] - back[None], axis=2)
    known = np.ascontiguousarray(np.argwhere(apart < NEAR), '<u4')
    for name, array in ('', queries), ('-warped', train), ('-known', known):
        np.save(f'{sys.argv[2]}{name}.npy', array)
    print(f'{len(queries)} and {len(train)} points, {len(known)} right pairs')


main()
