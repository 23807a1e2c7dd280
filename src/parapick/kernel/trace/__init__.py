"""Expressions to instructions: CasADi expressions in single-assignment form, rewritten, ordered and packed."""
