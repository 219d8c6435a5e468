"""Checks beside loads, round by round: each job once in a round, so that all rows of a table grow alike."""
import os

from checks import Hog


def plan(left, shuffle=lambda jobs: None):
    """Of {(load, job): how many checks}: [(load, jobs)], one of them after the other."""
    left, rounds = dict(left), []
    loads = list(dict.fromkeys(load for load, _ in left))
    while any(count > 0 for count in left.values()):
        for load in loads:
            now = [job for of, job in left if of == load and left[of, job] > 0]
            shuffle(now)
            for job in now:
                left[load, job] -= 1
            if now:
                rounds.append((load, now))
    return rounds


def run(build, rounds, check):
    """check(load, job, how many there are from this one on), with the load beside it."""
    left, cpu = sum(len(jobs) for _, jobs in rounds), min(os.sched_getaffinity(0))
    for load, jobs in rounds:
        with Hog(build, load, cpu) as hog:
            for job in jobs:
                hog.alive()
                check(load, job, left)
                left -= 1
