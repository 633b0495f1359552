"""The programs are read as text and never imported."""

collect_ignore = ["programs", "posted"]
