"""The machine around a law: a process image, virtual drives with the plant behind them, and the loop between."""
