"""The laws of promises that stand in a contract as data: each a function of a history, a contract and a promise."""
