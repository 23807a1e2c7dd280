"""The spara note on equivalent point masses: their errors and cost, its formulas as printed and corrected."""
