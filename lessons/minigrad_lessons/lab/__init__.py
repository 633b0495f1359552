"""The surroundings of a lesson's notebook: its language, quoted sources, a student's server."""
