"""Tests of the tuitbot reference."""
