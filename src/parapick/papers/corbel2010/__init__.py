"""corbel2010, redundant Deltas at 100 g: its tables and lines computed, its equations as printed and corrected."""
