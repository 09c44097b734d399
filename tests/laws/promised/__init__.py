"""Tests of the laws that contracts name as data."""
