"""Data that the lessons train on."""
