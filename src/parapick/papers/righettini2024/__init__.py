"""righettini2024, the five-bar with a spindle: its work cycle, four controllers, and its statements on them."""
