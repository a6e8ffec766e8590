"""Use cases of usage: reports, exports, and the sums behind them."""
