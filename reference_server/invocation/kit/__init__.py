"""The kit: the tools by which the contract is tested (schemas/invocation/kit.json), and the state behind them."""
