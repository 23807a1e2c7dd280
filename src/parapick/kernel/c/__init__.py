"""Instructions to C99 that a person can read: a trace as one function, with the names that formulas gave."""
