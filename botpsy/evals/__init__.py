"""The measure: suites that any engine can be run on, and numbers that say how far to trust them.

case.py        what a suite is made of: cases, verdicts, data, scores
talk.py        whom a case talks to: an engine, or the record of one
statistics.py  scores with intervals, paired tests, pass^k
record.py      a run on the disk
run.py         cases in flight, resumable; and scoring a record again
suites/        one module or package a suite
report/        tables, pages and plots of one run or several
"""
