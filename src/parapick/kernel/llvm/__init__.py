"""Instructions to machine code: a trace as LLVM text, for many rows at once or for a run in time, and its compiler."""
